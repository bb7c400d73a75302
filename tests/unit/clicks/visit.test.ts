import { expect, test } from 'vitest';
import { readVisit } from '../../../lib/clicks/visit.ts';

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';
const television = 'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) AppleWebKit/537.36 TV Safari/537.36';

test.each([
  [phone, { isBot: false, platform: 'mobile' }],
  [television, { isBot: false, platform: 'other' }],
  ['curl/8.14.1', { isBot: true }],
  ['', { isBot: true, platform: 'other' }],
  [undefined, { isBot: true, platform: 'other' }],
  // Only the start of a very long agent is read.
  [`${phone}${' '.repeat(1_000_000)}Googlebot`, { isBot: false, platform: 'mobile' }],
])('a visit of the agent %s is %j', (agent, visit) => {
  expect(readVisit({ 'user-agent': agent }, [])).toMatchObject({ ...visit, referrer: 'direct' });
});
