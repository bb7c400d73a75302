import { describe, expect, test } from 'vitest';
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
