import { isWithin, trimDots } from '../domain.ts';

/** A well-known site that visitors come from. */
interface Source {
  name: string;
  /** The attribute of a day's item that counts it. Never change or reuse one. */
  attribute: string;
  /** Subdomains are included. `google.*` stands for google.com, google.de, google.co.uk … */
  hosts: string[];
}

/** The sites that the statistics distinguish. An app's referrer has its package as the host. */
export const sources: readonly Source[] = [
  {
    name: 'google',
    attribute: 'r01',
    hosts: ['google.*', 'com.google.android.googlequicksearchbox'],
  },
  { name: 'bing', attribute: 'r02', hosts: ['bing.com'] },
  { name: 'yahoo', attribute: 'r03', hosts: ['yahoo.*'] },
  { name: 'duckduckgo', attribute: 'r04', hosts: ['duckduckgo.com'] },
  { name: 'yandex', attribute: 'r05', hosts: ['yandex.*', 'ya.ru'] },
  { name: 'baidu', attribute: 'r06', hosts: ['baidu.com'] },
  { name: 'ecosia', attribute: 'r07', hosts: ['ecosia.org'] },
  { name: 'brave', attribute: 'r08', hosts: ['search.brave.com'] },
  { name: 'naver', attribute: 'r09', hosts: ['naver.com'] },
  {
    name: 'facebook',
    attribute: 'r10',
    hosts: ['facebook.com', 'fb.com', 'fb.me', 'com.facebook.katana'],
  },
  { name: 'instagram', attribute: 'r11', hosts: ['instagram.com'] },
  { name: 'threads', attribute: 'r12', hosts: ['threads.com', 'threads.net'] },
  { name: 'whatsapp', attribute: 'r13', hosts: ['whatsapp.com', 'wa.me', 'com.whatsapp'] },
  { name: 'x', attribute: 'r14', hosts: ['x.com', 't.co', 'twitter.com', 'com.twitter.android'] },
  {
    name: 'linkedin',
    attribute: 'r15',
    hosts: ['linkedin.com', 'lnkd.in', 'com.linkedin.android'],
  },
  { name: 'reddit', attribute: 'r16', hosts: ['reddit.com', 'redd.it', 'com.reddit.frontpage'] },
  { name: 'youtube', attribute: 'r17', hosts: ['youtube.com', 'youtu.be'] },
  { name: 'tiktok', attribute: 'r18', hosts: ['tiktok.com'] },
  { name: 'pinterest', attribute: 'r19', hosts: ['pinterest.*', 'pin.it'] },
  { name: 'snapchat', attribute: 'r20', hosts: ['snapchat.com'] },
  { name: 'telegram', attribute: 'r21', hosts: ['telegram.org', 't.me', 'org.telegram.messenger'] },
  { name: 'discord', attribute: 'r22', hosts: ['discord.com', 'discordapp.com'] },
  { name: 'slack', attribute: 'r23', hosts: ['slack.com', 'com.slack'] },
  { name: 'teams', attribute: 'r24', hosts: ['teams.microsoft.com', 'teams.cdn.office.net'] },
  {
    name: 'mastodon',
    attribute: 'r25',
    hosts: ['mastodon.social', 'mastodon.online', 'mstdn.social'],
  },
  { name: 'bluesky', attribute: 'r26', hosts: ['bsky.app'] },
  { name: 'tumblr', attribute: 'r27', hosts: ['tumblr.com'] },
  { name: 'medium', attribute: 'r28', hosts: ['medium.com'] },
  { name: 'substack', attribute: 'r29', hosts: ['substack.com'] },
  { name: 'quora', attribute: 'r30', hosts: ['quora.com'] },
  { name: 'stackoverflow', attribute: 'r31', hosts: ['stackoverflow.com', 'stackexchange.com'] },
  { name: 'github', attribute: 'r32', hosts: ['github.com'] },
  { name: 'hackernews', attribute: 'r33', hosts: ['news.ycombinator.com'] },
  { name: 'wikipedia', attribute: 'r34', hosts: ['wikipedia.org'] },
  { name: 'gmail', attribute: 'r35', hosts: ['mail.google.com', 'com.google.android.gm'] },
  {
    name: 'outlook',
    attribute: 'r36',
    hosts: ['outlook.live.com', 'outlook.office.com', 'outlook.office365.com'],
  },
  { name: 'chatgpt', attribute: 'r37', hosts: ['chatgpt.com', 'chat.openai.com'] },
  { name: 'perplexity', attribute: 'r38', hosts: ['perplexity.ai'] },
  { name: 'vk', attribute: 'r39', hosts: ['vk.com'] },
  { name: 'weibo', attribute: 'r40', hosts: ['weibo.com', 'weibo.cn'] },
];

// The longest DNS name: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4
const maxHostLength = 253;
// Enough for the longest host with its scheme and port. Longer texts only cost time: parsing a
// Unicode host is quadratic.
const maxStartLength = 300;

/** The highest number of labels in a source's host. */
const mostLabels = 4;

const nameOfHost = new Map(sources.flatMap(({ name, hosts }) => hosts.map((host) => [host, name])));

/**
 * Classifies a referrer: direct if missing, own for these domains and their subdomains, a source by
 * its name, or other. The path may have any length.
 */
export function classifyReferrer(
  referrer: string | undefined,
  ownDomains: readonly string[],
): string {
  const start = (referrer ?? '').slice(0, maxStartLength);
  const hostname = URL.parse(start)?.hostname ?? '';
  if (hostname.length > maxHostLength) return 'other';
  const host = trimDots(hostname);
  if (host === '') return 'direct';
  if (ownDomains.some((domain) => isWithin(host, domain))) return 'own';
  return (
    listDomains(host)
      .map(findSource)
      .find((name) => name !== undefined) ?? 'other'
  );
}

/** A host's domains that may belong to a source: a.b.example, b.example, example. */
function listDomains(host: string): string[] {
  const labels = host.split('.').slice(-mostLabels);
  return labels.map((_, index) => labels.slice(index).join('.'));
}

function findSource(domain: string): string | undefined {
  const [first, ...rest] = domain.split('.');
  const isRegistry = rest.length > 0 && rest.length <= 2 && rest.every(({ length }) => length <= 3);
  return nameOfHost.get(domain) ?? (isRegistry ? nameOfHost.get(`${first}.*`) : undefined);
}
