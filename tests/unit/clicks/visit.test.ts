import { describe, expect, test } from 'vitest';
import { classifyReferrer, sources } from '../../../lib/clicks/referrers.ts';
import { isPrefetch, readVisit } from '../../../lib/clicks/visit.ts';

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

  test('without an agent is a bot on another device', () => {
    expect(read()).toMatchObject({ isBot: true, platform: 'other', referrer: 'direct' });
  });

  test('with an endless agent is classified by its beginning', () => {
    expect(read(agents.mobile + 'x'.repeat(1_000_000))).toMatchObject({ platform: 'mobile' });
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
  ])('%s is %s', (referrer, source) => {
    expect(classifyReferrer(referrer, ['example.com'])).toBe(source);
  });

  test.each(sources)('$name is recognised by each of its hosts', ({ name, hosts }) => {
    const urls = hosts.map((host) => `https://www.${host.replace('*', 'com')}/a?b#c`);

    expect(urls.map((url) => classifyReferrer(url, []))).toEqual(urls.map(() => name));
  });
});

describe('a prefetch', () => {
  test.each([
    { 'sec-purpose': 'prefetch' },
    { 'sec-purpose': 'prefetch;prerender' },
    { 'sec-purpose': 'prefetch; anonymous-client-ip' },
    { purpose: 'prefetch' },
    { purpose: 'Prefetch' },
  ])('is recognised by %j', (headers) => {
    expect(isPrefetch(headers)).toBe(true);
  });

  test.each([{}, { purpose: 'preview' }, { 'sec-purpose': 'no-prefetch' }])(
    'is not recognised by %j',
    (headers) => {
      expect(isPrefetch(headers)).toBe(false);
    },
  );
});
