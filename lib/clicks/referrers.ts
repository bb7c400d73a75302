import { isWithin, trimDots } from '../domain.ts';

/**
 * The well-known sites that visitors come from, with their apps: the name of each, the attribute of a
 * day's item that counts it, its hosts, and its Android packages that don't start with one of the
 * hosts, reversed, as com.slack does. Subdomains are included. `google.*` stands for google.com,
 * google.de, google.co.uk … Never change or reuse an attribute.
 */
const table: readonly (readonly [string, string, string, string?])[] = [
  ['google', 'r01', 'google.*'],
  ['bing', 'r02', 'bing.com', 'com.microsoft.bing'],
  ['yahoo', 'r03', 'yahoo.*'],
  ['duckduckgo', 'r04', 'duckduckgo.com duck.com'],
  ['yandex', 'r05', 'yandex.* ya.ru'],
  ['baidu', 'r06', 'baidu.com'],
  ['ecosia', 'r07', 'ecosia.org', 'com.ecosia'],
  ['brave', 'r08', 'search.brave.com'],
  ['naver', 'r09', 'naver.com', 'com.nhn.android.search'],
  ['facebook', 'r10', 'facebook.com fb.com fb.me fb.watch messenger.com m.me'],
  ['instagram', 'r11', 'instagram.com ig.me'],
  ['threads', 'r12', 'threads.com threads.net', 'com.instagram.barcelona'],
  ['whatsapp', 'r13', 'whatsapp.com whatsapp.net wa.me'],
  ['x', 'r14', 'x.com t.co twitter.com'],
  ['linkedin', 'r15', 'linkedin.com lnkd.in'],
  ['reddit', 'r16', 'reddit.com redd.it'],
  [
    'youtube',
    'r17',
    'youtube.com youtu.be youtubekids.com',
    'com.google.android.youtube com.google.android.apps.youtube',
  ],
  ['tiktok', 'r18', 'tiktok.com', 'com.zhiliaoapp.musically com.ss.android.ugc.trill'],
  ['pinterest', 'r19', 'pinterest.* pin.it'],
  ['snapchat', 'r20', 'snapchat.com'],
  ['telegram', 'r21', 'telegram.org t.me telegram.me', 'org.thunderdog.challegram'],
  ['discord', 'r22', 'discord.com discordapp.com discord.gg'],
  ['slack', 'r23', 'slack.com slack-redir.net'],
  [
    'teams',
    'r24',
    'teams.microsoft.com teams.cloud.microsoft teams.live.com teams.microsoft.us teams.cdn.office.net',
  ],
  [
    'mastodon',
    'r25',
    `mastodon.social mastodon.online mstdn.social mastodon.world mas.to fosstodon.org hachyderm.io
     infosec.exchange mstdn.jp joinmastodon.org`,
  ],
  ['bluesky', 'r26', 'bsky.app bsky.social', 'xyz.blueskyweb'],
  ['tumblr', 'r27', 'tumblr.com t.umblr.com'],
  ['medium', 'r28', 'medium.com'],
  ['substack', 'r29', 'substack.com'],
  ['quora', 'r30', 'quora.com'],
  ['stackoverflow', 'r31', 'stackoverflow.com stackexchange.com superuser.com serverfault.com'],
  ['github', 'r32', 'github.com'],
  ['hackernews', 'r33', 'news.ycombinator.com'],
  ['wikipedia', 'r34', 'wikipedia.org'],
  ['gmail', 'r35', 'mail.google.com inbox.google.com', 'com.google.android.gm'],
  [
    'outlook',
    'r36',
    `outlook.com outlook.live.com outlook.office.com outlook.office365.com outlook.cloud.microsoft
     outlook.office365.us mail.live.com hotmail.com`,
    'com.microsoft.office.outlook',
  ],
  ['chatgpt', 'r37', 'chatgpt.com chat.openai.com', 'com.openai.chatgpt'],
  ['perplexity', 'r38', 'perplexity.ai'],
  ['vk', 'r39', 'vk.com vk.ru vkontakte.ru', 'com.vkontakte'],
  ['weibo', 'r40', 'weibo.com weibo.cn t.cn', 'com.sina.weibo'],
];

/** The sites that the statistics distinguish. */
export const sources = table.map(([name, attribute, hosts, packages]) => ({
  name,
  attribute,
  hosts: hosts.split(/\s+/),
  packages: packages?.split(/\s+/) ?? [],
}));

// The longest DNS name: https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4
const maxHostLength = 253;
// Enough for the longest host with its scheme and port. Longer texts only cost time: parsing a
// Unicode host is quadratic.
const maxStartLength = 300;

const reverse = (host: string) => host.split('.').reverse().join('.');
const nameOfHost = new Map(
  sources.flatMap(({ name, hosts, packages }) =>
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
