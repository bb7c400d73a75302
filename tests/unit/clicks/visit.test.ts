import { describe, expect, test } from 'vitest';
import { classifyReferrer, sources } from '../../../lib/clicks/referrers.ts';
import { readVisit } from '../../../lib/clicks/visit.ts';

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const agents = {
  desktop: `${chrome} Chrome/142.0.0.0 Safari/537.36`,
  mobile:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
  tablet:
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 Version/16.6 Mobile/15E148 Safari/604.1',
  television: 'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 TV Safari/537.36',
  googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  preview: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
};
const hostWithin = (domain: string, length: number) =>
  `${'a'.repeat(length - domain.length - 1)}.${domain}`;
const read = (agent?: string) => readVisit({ 'user-agent': agent }, []);

describe('a visit', () => {
  test.each([
    ['desktop', agents.desktop],
    ['mobile', agents.mobile],
    ['tablet', agents.tablet],
    ['other', agents.television],
  ])('of a browser is human, on the device %s', (platform, agent) => {
    expect(read(agent)).toMatchObject({ isBot: false, platform });
  });

  test.each([agents.googlebot, agents.preview, 'curl/8.14.1', 'WhatsApp/2.23.20.0', ''])(
    'of the agent "%s" is a bot',
    (agent) => {
      expect(read(agent).isBot).toBe(true);
    },
  );

  test('without an agent is a bot on the device other', () => {
    expect(read()).toMatchObject({ isBot: true, platform: 'other', referrer: 'direct' });
  });

  test('with a very long agent is classified by its start', () => {
    const endless = `${agents.mobile}${' '.repeat(1_000_000)}Googlebot`;

    expect(read(endless)).toMatchObject({ isBot: false, platform: 'mobile' });
  });
});

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
  test.each(
    Object.entries({
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
  )('%s sends visitors from %s', (name, host) => {
    expect(classifyReferrer(`https://${host}/`, [])).toBe(name);
  });

  test.each(sources)('$name is recognised by each of its hosts', ({ name, hosts }) => {
    const urls = hosts.map((host) => `https://www.${host.replace('*', 'com')}/a?b#c`);

    expect(urls.map((url) => classifyReferrer(url, []))).toEqual(urls.map(() => name));
  });
});
