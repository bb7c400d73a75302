import { createIsbotFromList, list } from 'isbot';
import { missedBots, narrowedPatterns } from './bot-patterns.ts';

// Words in the names of apps, which a phone's agent may end with: SmartNews, QR Scanner.
const appWords =
  /news|scan|tool|radar|server|library|download|catch|capture|discovery|monitor|java|proxy|feed|rss|torrent|splash|detect|archive|check|inspect|insight|measure|mail|url/;

const narrow = (patterns: readonly string[]) =>
  patterns.map((pattern) => narrowedPatterns[pattern] ?? pattern).filter(Boolean);
const isBotAgent = createIsbotFromList([...narrow(list), ...missedBots]);
const isPhoneBotAgent = createIsbotFromList([
  ...narrow(list.filter((pattern) => !appWords.test(pattern))),
  ...missedBots,
]);

const phoneBrowsers = [
  /^mozilla\/5\.0 \((?:ip|[^)]*android)/i,
  /^(?:\[fb|ucweb\/|nokia|blackberry|samsung-|lg\/)/i,
];
// A browser's whole agent, which looks like a program's.
const shortBrowsers = [
  /^(?:mozilla\/4\.0 \(compatible; )?(?:avant browser|dillo|e?links|lynx|netsurf|nook browser|uzbl|w3m|wii libnup)[ /]/i,
  /^(?:mozilla\/4\.0 \(compatible; )?sonyericsson\w+[ /]/i,
];
// What phone companies and manufacturers name: FBCR/Google Fi, or the model after Android's version.
const givenNames =
  /FB(?:CR|MF|BD|DV)\/[^;\]]*|Android[ /][\d.]{1,9};(?: U;)?(?: \w\w[-_]\w\w;)?[^;()]{0,99}|Android \(\d[^)]{0,200}/g;
// Addresses in Avant Browser's agent and in that of a frame for Internet Explorer, and what an
// extension appends: ||| ReqID: 1 | Initiator: https://example.com.
const additions = /(?:http:\/\/)?(?:www\.)?(?:avantbrowser|bsalsa)\.com|\|\|\| .*/g;

/** Whether a user agent is a bot's. Bots that pose as browsers aren't recognised. */
export function isBot(agent: string): boolean {
  if (shortBrowsers.some((pattern) => pattern.test(agent))) return false;
  const isPhone = phoneBrowsers.some((pattern) => pattern.test(agent));
  const isMatch = isPhone ? isPhoneBotAgent : isBotAgent;
  return isMatch(agent.replace(givenNames, 'x').replace(additions, 'x'));
}

const television =
  /(?<!le|\b[bdhqs]|\bbn)tv(?![a-z])|aquos-tv|netcast|viera|bravia|vidaa|web0s|ce-html|\bomi\/\d|vstvb|brightsign/i;
const televisionBox = /\btivo|\bstb\b|\baft[a-z]\w{0,5}\b|\baeo[a-z]{2}\b|\broku|crkey/i;
const gameConsole = /playstation|xbox|nintendo|\bouya/i;
const headset = /oculus|\bvr\b/i;
const car = /tesla\/|carbrowser/i;
const watch = /\bwatch(?![a-z])|watchos|wear os|\bsm-r\d{3}/i;
const otherDevices = [television, televisionBox, gameConsole, headset, car, watch];

const genericTablet = /\btab(?:let)?\b(?! pc)|tab \d|[a-z]pad(?!fone|\d)\b/i;
const tabletModel =
  /ipad|kindle|playbook|touchpad|\bsilk\/|\bsm-[tx]\d|nexus (?:7|9|10)\b|\bbntv|\bnook|xoom/i;
const tablets = [genericTablet, tabletModel];

const mobileSystem =
  /mobi|windows (?:phone|ce)|symbian|series ?[346]0|midp|kaios|tizen|bada\/|webos|maemo|brew|(?<!(?:pc|2in1); ?open)harmony/i;
const phone = /iphone|ipod|\biph\d|lumia|blackberry|\bbb10|nokia|palm|^samsung-|sonyericsson/i;
const phoneNetwork = /docomo|foma|kddi|softbank|willcom|ddipocket/i;
const mobileBrowser = /opera m|^\[fb|up\.browser|\bwap|ucweb|jig browser|obigo|openbrowser/i;
const mobiles = [mobileSystem, phone, phoneNetwork, mobileBrowser];

// Apps of iPhones and Macs. Those of older Macs say so.
const apple = /cfnetwork/i;
const mac = /x86_64|i386|mac/i;
const browserEngine = /webkit|gecko/i;
const desktopSystem =
  /windows|win(?:32|64|9\d)|\bi?mac|\(pc;|2in1|x11|linux|\bcros\b|bsd\b|sunos|haiku|os\/2|amiga/i;
const desktopBrowser = /konqueror|^(?:e?links|lynx|w3m)\b|\bdillo/i;
const desktops = [desktopSystem, desktopBrowser];

const isOneOf = (patterns: readonly RegExp[], agent: string) =>
  patterns.some((pattern) => pattern.test(agent));

/** The kind of device: desktop, mobile, tablet, or other, such as a television or a game console. */
export function readPlatform(agent: string): string {
  if (isOneOf(otherDevices, agent)) return 'other';
  if (isOneOf(tablets, agent)) return 'tablet';
  if (isOneOf(mobiles, agent)) return 'mobile';
  if (apple.test(agent)) return mac.test(agent) ? 'desktop' : 'mobile';
  // Browsers leave out "Mobile" on Android tablets. Apps with an agent of their own never have it.
  if (/android/i.test(agent)) return browserEngine.test(agent) ? 'tablet' : 'mobile';
  return isOneOf(desktops, agent) ? 'desktop' : 'other';
}
