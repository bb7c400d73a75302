import { isWithin, trimDots } from '../domain.ts';

/** A well-known site that visitors come from. */
interface Source {
  name: string;
  /** The attribute of a day's item that counts it. Never change or reuse one. */
  attribute: string;
  /** Subdomains are included. `google.*` stands for google.com, google.de, google.co.uk … */
  hosts: string[];
  /** Android packages that don't start with one of the hosts, reversed, as com.slack does. */
  packages?: string[];
}

/** The sites that the statistics distinguish, with their apps. */
export const sources: readonly Source[] = [
  { name: 'google', attribute: 'r01', hosts: ['google.*'] },
  { name: 'bing', attribute: 'r02', hosts: ['bing.com'], packages: ['com.microsoft.bing'] },
  { name: 'yahoo', attribute: 'r03', hosts: ['yahoo.*'] },
  { name: 'duckduckgo', attribute: 'r04', hosts: ['duckduckgo.com', 'duck.com'] },
  { name: 'yandex', attribute: 'r05', hosts: ['yandex.*', 'ya.ru'] },
  { name: 'baidu', attribute: 'r06', hosts: ['baidu.com'] },
  { name: 'ecosia', attribute: 'r07', hosts: ['ecosia.org'], packages: ['com.ecosia'] },
  { name: 'brave', attribute: 'r08', hosts: ['search.brave.com'] },
  { name: 'naver', attribute: 'r09', hosts: ['naver.com'], packages: ['com.nhn.android.search'] },
  {
    name: 'facebook',
    attribute: 'r10',
    hosts: ['facebook.com', 'fb.com', 'fb.me', 'fb.watch', 'messenger.com', 'm.me'],
  },
  { name: 'instagram', attribute: 'r11', hosts: ['instagram.com', 'ig.me'] },
  {
    name: 'threads',
    attribute: 'r12',
    hosts: ['threads.com', 'threads.net'],
    packages: ['com.instagram.barcelona'],
  },
  { name: 'whatsapp', attribute: 'r13', hosts: ['whatsapp.com', 'whatsapp.net', 'wa.me'] },
  { name: 'x', attribute: 'r14', hosts: ['x.com', 't.co', 'twitter.com'] },
  { name: 'linkedin', attribute: 'r15', hosts: ['linkedin.com', 'lnkd.in'] },
  { name: 'reddit', attribute: 'r16', hosts: ['reddit.com', 'redd.it'] },
  {
    name: 'youtube',
    attribute: 'r17',
    hosts: ['youtube.com', 'youtu.be', 'youtubekids.com'],
    packages: ['com.google.android.youtube', 'com.google.android.apps.youtube'],
  },
  {
    name: 'tiktok',
    attribute: 'r18',
    hosts: ['tiktok.com'],
    packages: ['com.zhiliaoapp.musically', 'com.ss.android.ugc.trill'],
  },
  { name: 'pinterest', attribute: 'r19', hosts: ['pinterest.*', 'pin.it'] },
  { name: 'snapchat', attribute: 'r20', hosts: ['snapchat.com'] },
  {
    name: 'telegram',
    attribute: 'r21',
    hosts: ['telegram.org', 't.me', 'telegram.me'],
    packages: ['org.thunderdog.challegram'],
  },
  { name: 'discord', attribute: 'r22', hosts: ['discord.com', 'discordapp.com', 'discord.gg'] },
  { name: 'slack', attribute: 'r23', hosts: ['slack.com', 'slack-redir.net'] },
  {
    name: 'teams',
    attribute: 'r24',
    hosts: [
      ...['teams.microsoft.com', 'teams.cloud.microsoft', 'teams.live.com', 'teams.microsoft.us'],
      'teams.cdn.office.net',
    ],
  },
  {
    name: 'mastodon',
    attribute: 'r25',
    hosts: [
      ...['mastodon.social', 'mastodon.online', 'mstdn.social', 'mastodon.world', 'mas.to'],
      ...['fosstodon.org', 'hachyderm.io', 'infosec.exchange', 'mstdn.jp', 'joinmastodon.org'],
    ],
  },
  {
    name: 'bluesky',
    attribute: 'r26',
    hosts: ['bsky.app', 'bsky.social'],
    packages: ['xyz.blueskyweb'],
  },
  { name: 'tumblr', attribute: 'r27', hosts: ['tumblr.com', 't.umblr.com'] },
  { name: 'medium', attribute: 'r28', hosts: ['medium.com'] },
  { name: 'substack', attribute: 'r29', hosts: ['substack.com'] },
  { name: 'quora', attribute: 'r30', hosts: ['quora.com'] },
  {
    name: 'stackoverflow',
    attribute: 'r31',
    hosts: ['stackoverflow.com', 'stackexchange.com', 'superuser.com', 'serverfault.com'],
  },
  { name: 'github', attribute: 'r32', hosts: ['github.com'] },
  { name: 'hackernews', attribute: 'r33', hosts: ['news.ycombinator.com'] },
  { name: 'wikipedia', attribute: 'r34', hosts: ['wikipedia.org'] },
  {
    name: 'gmail',
    attribute: 'r35',
    hosts: ['mail.google.com', 'inbox.google.com'],
    packages: ['com.google.android.gm'],
  },
  {
    name: 'outlook',
    attribute: 'r36',
    hosts: [
      ...['outlook.com', 'outlook.live.com', 'outlook.office.com', 'outlook.office365.com'],
      ...['outlook.cloud.microsoft', 'outlook.office365.us', 'mail.live.com', 'hotmail.com'],
    ],
    packages: ['com.microsoft.office.outlook'],
  },
  {
    name: 'chatgpt',
    attribute: 'r37',
    hosts: ['chatgpt.com', 'chat.openai.com'],
    packages: ['com.openai.chatgpt'],
  },
  { name: 'perplexity', attribute: 'r38', hosts: ['perplexity.ai'] },
  {
    name: 'vk',
    attribute: 'r39',
    hosts: ['vk.com', 'vk.ru', 'vkontakte.ru'],
    packages: ['com.vkontakte'],
  },
  {
    name: 'weibo',
    attribute: 'r40',
    hosts: ['weibo.com', 'weibo.cn', 't.cn'],
    packages: ['com.sina.weibo'],
  },
];

// The longest DNS name: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4
const maxHostLength = 253;
// Enough for the longest host with its scheme and port. Longer texts only cost time: parsing a
// Unicode host is quadratic.
const maxStartLength = 300;

const reverse = (host: string) => host.split('.').reverse().join('.');
const nameOfHost = new Map(
  sources.flatMap(({ name, hosts, packages = [] }) =>
    [...hosts, ...packages.map(reverse)].map((host) => [host, name]),
  ),
);
const mostLabels = Math.max(...Array.from(nameOfHost.keys(), (host) => host.split('.').length));

/**
 * Classifies a referrer: direct if missing, own for these domains and their subdomains, a source by
 * its name, or other. The path may have any length. A package, as in android-app://com.slack, counts
 * as a host, reversed.
 */
export function classifyReferrer(
  referrer: string | undefined,
  ownDomains: readonly string[],
): string {
  const url = URL.parse((referrer ?? '').slice(0, maxStartLength));
  const hostname = url?.hostname ?? '';
  if (hostname.length > maxHostLength) return 'other';
  // Only http and https hosts are in lower case already.
  const spelled = trimDots(hostname).toLowerCase();
  const host = url?.protocol === 'android-app:' ? reverse(spelled) : spelled;
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
