import { createIsbotFromList, list } from 'isbot';

/** isbot's patterns that also match people, and what replaces them. Empty ones are dropped. */
export const narrowedPatterns: Readonly<Record<string, string>> = {
  // Meant for encrypted agents. In some apps, a person's agent doesn't have a space either.
  '^[^ ]{50,}$': '^[\\w+/=]{50,}$',
  // Bada/1.0; and webOS/1.0; are operating systems.
  '\\b\\w+/1\\.0;': 'compatible; [\\w-]+/1\\.0;',
  '(?<! channel/|google/)google(?!(?:wv|app|/google| pixel))':
    '(?<! channel/|google/|\\.)google(?!wv|app|play|plus|tv|[ _/;]*(?:google|pixel|nexus|earth|ios))',
  '\\.com\\b': '\\.com\\b(?!\\.)',
  '\\(\\)': '^\\S+ \\(\\)$',
  '24x7': '(?<!\\d)24x7',
  catch: '(?<!\\.)catch',
  'java(?!;)': 'java(?!;|platform)',
  sogou: '',
};

/** Bots that isbot misses: Office's check of a link before it opens the browser, and others. */
const missedBots = [
  ...['ms-?office', '^microsoft office', '\\b(?:word|excel|powerpoint)/\\d'],
  ...['gtmetrix', 'miniature\\.io', '\\bylt\\b', 'turingos', '\\bdevin/', '\\bamzn-'],
];

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

const phoneBrowser = /^(?:mozilla\/5\.0 \((?:ip|[^)]*android)|\[fb)/i;
// What phone companies and manufacturers name: FBCR/Google Fi, or the model after Android's version.
const givenNames =
  /FB(?:CR|MF|BD|DV)\/[^;\]]*|Android[ /][\d.]{1,9};(?: U;)?(?: \w\w[-_]\w\w;)?[^;()]{0,99}|Android \(\d[^)]{0,200}/g;

/** Whether a user agent is a bot's. Bots that pose as browsers aren't recognised. */
export function isBot(agent: string): boolean {
  const isMatch = phoneBrowser.test(agent) ? isPhoneBotAgent : isBotAgent;
  return isMatch(agent.replace(givenNames, 'x'));
}

const otherDevice =
  /(?<!le)tv(?![a-z])|appletv|googletv|hbbtv|netcast|viera|bravia|vidaa|web0s|ce-html|tivo|\baft[a-z]\w{0,5}\b|\baeo[a-z]{2}\b|\broku|crkey|playstation|xbox|nintendo|oculus|\bvr\b|tesla\/|carbrowser|watchos|wear os/i;
const tablet = /ipad|tablet(?! pc)|kindle|playbook|touchpad|\bsilk\//i;
const mobile =
  /mobi|opera m|iphone|ipod|\biph\d|windows (?:phone|ce)|lumia|blackberry|\bbb10|symbian|series ?[346]0|nokia|midp|kaios|tizen|bada\/|webos|palm|maemo|brew|(?<!(?:pc|2in1); ?open)harmony|^\[fb|up\.browser|\bwap|ucweb|docomo|samsung-|sonyericsson/i;
const browserEngine = /webkit|gecko/i;
const desktop =
  /windows|win(?:32|64|9\d)|\bi?mac|\(pc;|2in1|x11|linux|\bcros\b|bsd\b|sunos|haiku|os\/2|amiga/i;

/** The kind of device: desktop, mobile, tablet, or other, such as a television or a game console. */
export function readPlatform(agent: string): string {
  if (otherDevice.test(agent)) return 'other';
  if (tablet.test(agent)) return 'tablet';
  if (mobile.test(agent)) return 'mobile';
  // Browsers leave out "Mobile" on Android tablets. Apps with an agent of their own never have it.
  if (/android/i.test(agent)) return browserEngine.test(agent) ? 'tablet' : 'mobile';
  return desktop.test(agent) ? 'desktop' : 'other';
}
