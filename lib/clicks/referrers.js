import { isWithin, trimDots } from '../domain.ts';
/**
 * The well-known sites that visitors come from, with their apps: the name of each, the attribute of a
 * day's item that counts it, its hosts, and its Android packages that don't start with one of the
 * hosts, reversed, as com.slack does. `google.*` stands for google.com, google.de, google.co.uk …
 * Subdomains are included, unless a host begins with "=": a search engine isn't its company's mail,
 * documents or assistant. Never change or reuse an attribute.
 */
const table = [
    [
        'google',
        'r1',
        `=google.* images.google.* news.google.* video.google.* blogsearch.google.* lens.google.com
     encrypted.google.com`,
        'com.google.android.googlequicksearchbox com.google.android.apps.searchlite',
    ],
    ['bing', 'r2', 'bing.com', 'com.microsoft.bing'],
    ['yahoo', 'r3', '=yahoo.* search.yahoo.*'],
    ['duckduckgo', 'r4', 'duckduckgo.com duck.com'],
    ['yandex', 'r5', '=yandex.* =ya.ru clck.yandex.* images.yandex.* video.yandex.*'],
    ['baidu', 'r6', '=baidu.com image.baidu.com news.baidu.com video.baidu.com'],
    ['ecosia', 'r7', 'ecosia.org', 'com.ecosia'],
    ['brave', 'r8', 'search.brave.com'],
    ['naver', 'r9', '=naver.com search.naver.com', 'com.nhn.android.search'],
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
    ['chatgpt', 'r37', 'chatgpt.com chat.openai.com labs.openai.com', 'com.openai.chatgpt'],
    ['perplexity', 'r38', 'perplexity.ai'],
    ['vk', 'r39', 'vk.com vk.ru vkontakte.ru', 'com.vkontakte'],
    ['weibo', 'r40', 'weibo.com weibo.cn t.cn', 'com.sina.weibo'],
    [
        'assistant',
        'ra',
        `gemini.google.com bard.google.com notebooklm.google.com copilot.microsoft.com
     copilot.cloud.microsoft m365.cloud.microsoft claude.ai grok.com meta.ai deepseek.com mistral.ai
     qwen.ai you.com poe.com iask.ai yiyan.baidu.com ai.baidu.com chatglm.cn app.jasper.ai chatplus.com
     chat-gpt.org`,
        'com.google.android.apps.bard com.microsoft.copilot com.anthropic.claude ai.x.grok',
    ],
    [
        'documents',
        'rf',
        `docs.google.com drive.google.com sites.google.com officeapps.live.com onedrive.live.com
     sharepoint.com docs.yandex.* disk.yandex.* docs.qq.com notion.so notion.site dropbox.com`,
        'com.google.android.apps.docs com.microsoft.office.word com.microsoft.skydrive',
    ],
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
// A search engine's pages for phones and for countries, such as uk.yahoo.com.
const ownPage = /^(www\d?|m|[a-z]{2})\./;
const reverse = (host) => host.split('.').reverse().join('.');
const nameOfHost = new Map(sources.flatMap(({ name, hosts, packages }) => [...hosts, ...packages.map(reverse)].map((host) => [host, name])));
// A "*" stands for at most two labels.
const mostLabels = 1 + Math.max(...Array.from(nameOfHost.keys(), (host) => host.split('.').length));
/**
 * Classifies a referrer: direct if missing, own for these domains and their subdomains, a source by
 * its name, or other. The path may have any length. A package, as in android-app://com.slack, counts
 * as a host, reversed.
 */
export function classifyReferrer(referrer, ownDomains) {
    const url = URL.parse((referrer ?? '').slice(0, maxStartLength));
    const hostname = url?.hostname ?? '';
    if (hostname.length > maxHostLength)
        return 'other';
    // Only http and https hosts are in lower case already.
    const spelled = trimDots(hostname).toLowerCase();
    const host = url?.protocol === 'android-app:' ? reverse(spelled) : spelled;
    if (host === '')
        return 'direct';
    if (ownDomains.some((domain) => isWithin(host, domain)))
        return 'own';
    const found = listDomains(host)
        .map((domain) => findSource(domain))
        .find((name) => name !== undefined);
    return found ?? findSource(`=${host.replace(ownPage, '')}`) ?? 'other';
}
/** A host's domains that may belong to a source: a.b.example, b.example, example. */
function listDomains(host) {
    const labels = host.split('.').slice(-mostLabels);
    return labels.map((_, index) => labels.slice(index).join('.'));
}
function findSource(domain) {
    // A registry, such as "de" or "co.uk", follows the name.
    const name = /^(.+?)(?:\.[^.]{1,3}){1,2}$/.exec(domain)?.[1];
    return nameOfHost.get(domain) ?? (name && nameOfHost.get(`${name}.*`));
}
