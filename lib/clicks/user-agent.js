import { createIsbotFromList, list } from 'isbot';
import { missedBots, narrowedPatterns } from './bot-patterns.ts';
// Words in the names of apps, which a phone's agent may end with: SmartNews, QR Scanner.
const appWords = /news|scan|tool|radar|server|library|download|catch|capture|discovery|monitor|java|proxy|feed|rss|torrent|splash|detect|archive|check|inspect|insight|measure|mail|url/;
const narrow = (patterns) => patterns.map((pattern) => narrowedPatterns[pattern] ?? pattern).filter(Boolean);
const isBotAgent = createIsbotFromList([...narrow(list), ...missedBots]);
const isPhoneBotAgent = createIsbotFromList([
    ...narrow(list.filter((pattern) => !appWords.test(pattern))),
    ...missedBots,
]);
const phoneBrowser = /^(?:mozilla\/5\.0 \((?:ip|[^)]*android)|\[fb|ucweb\/|nokia|blackberry|samsung-|lg\/)/i;
// A browser's whole agent, which looks like a program's.
const shortBrowser = /^(?:mozilla\/4\.0 \(compatible; )?(?:avant browser|dillo|e?links|lynx|netsurf|nook browser|sonyericsson\w+|uzbl|w3m|wii libnup)[ /]/i;
// What phone companies and manufacturers name: FBCR/Google Fi, or the model after Android's version.
const givenNames = /FB(?:CR|MF|BD|DV)\/[^;\]]*|Android[ /][\d.]{1,9};(?: U;)?(?: \w\w[-_]\w\w;)?[^;()]{0,99}|Android \(\d[^)]{0,200}/g;
// Addresses in Avant Browser's agent and in that of a frame for Internet Explorer, and what an
// extension appends: ||| ReqID: 1 | Initiator: https://example.com.
const additions = /(?:http:\/\/)?(?:www\.)?(?:avantbrowser|bsalsa)\.com|\|\|\| .*/g;
/** Whether a user agent is a bot's. Bots that pose as browsers aren't recognised. */
export function isBot(agent) {
    if (shortBrowser.test(agent))
        return false;
    const isMatch = phoneBrowser.test(agent) ? isPhoneBotAgent : isBotAgent;
    return isMatch(agent.replace(givenNames, 'x').replace(additions, 'x'));
}
const otherDevice = /(?<!le|\b[bdhqs]|\bbn)tv(?![a-z])|aquos-tv|netcast|viera|bravia|vidaa|web0s|ce-html|\btivo|\bstb\b|\bomi\/\d|vstvb|brightsign|\baft[a-z]\w{0,5}\b|\baeo[a-z]{2}\b|\broku|crkey|playstation|xbox|nintendo|\bouya|oculus|\bvr\b|tesla\/|carbrowser|\bwatch(?![a-z])|watchos|wear os|\bsm-r\d{3}/i;
const tablet = /ipad|\btab(?:let)?\b(?! pc)|tab \d|[a-z]pad(?!fone|\d)\b|kindle|playbook|touchpad|\bsilk\/|\bsm-[tx]\d|nexus (?:7|9|10)\b|\bbntv|\bnook|xoom/i;
const mobile = /mobi|opera m|iphone|ipod|\biph\d|windows (?:phone|ce)|lumia|blackberry|\bbb10|symbian|series ?[346]0|nokia|midp|kaios|tizen|bada\/|webos|palm|maemo|brew|(?<!(?:pc|2in1); ?open)harmony|^\[fb|up\.browser|\bwap|ucweb|docomo|foma|kddi|softbank|willcom|ddipocket|jig browser|obigo|openbrowser|^samsung-|sonyericsson/i;
// Apps of iPhones and Macs. Those of older Macs say so.
const apple = /cfnetwork/i;
const mac = /x86_64|i386|mac/i;
const browserEngine = /webkit|gecko/i;
const desktop = /windows|win(?:32|64|9\d)|\bi?mac|\(pc;|2in1|x11|linux|konqueror|^(?:e?links|lynx|w3m)\b|\bdillo|\bcros\b|bsd\b|sunos|haiku|os\/2|amiga/i;
/** The kind of device: desktop, mobile, tablet, or other, such as a television or a game console. */
export function readPlatform(agent) {
    if (otherDevice.test(agent))
        return 'other';
    if (tablet.test(agent))
        return 'tablet';
    if (mobile.test(agent))
        return 'mobile';
    if (apple.test(agent))
        return mac.test(agent) ? 'desktop' : 'mobile';
    // Browsers leave out "Mobile" on Android tablets. Apps with an agent of their own never have it.
    if (/android/i.test(agent))
        return browserEngine.test(agent) ? 'tablet' : 'mobile';
    return desktop.test(agent) ? 'desktop' : 'other';
}
