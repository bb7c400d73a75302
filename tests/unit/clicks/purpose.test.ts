import { expect, test } from 'vitest';
import { readPurpose } from '../../../lib/clicks/purpose.ts';

const fetching = (dest?: string, mode?: string, user?: string) => ({
  'sec-fetch-dest': dest,
  'sec-fetch-mode': mode,
  'sec-fetch-user': user,
});

test.each([
  [{}, 'click'],
  [{ 'sec-purpose': 'prefetch' }, 'speculation'],
  [{ 'sec-purpose': 'prefetch;prerender' }, 'speculation'],
  [{ 'sec-purpose': 'prefetch; anonymous-client-ip' }, 'speculation'],
  [{ 'sec-purpose': 'prerender' }, 'speculation'],
  [{ purpose: 'Prefetch' }, 'speculation'],
  [{ 'x-moz': 'prefetch' }, 'speculation'],
  [{ ...fetching('document', 'navigate'), 'sec-purpose': 'prefetch' }, 'speculation'],
  [{ 'x-purpose': 'preview' }, 'preview'],
  [{ purpose: 'preview' }, 'preview'],
  // The Facebook app.
  [{ 'x-purpose': 'preview', 'x-fb-http-engine': 'Liger' }, 'speculation'],
  [{ 'sec-purpose': 'no-prefetch' }, 'click'],
  [{ purpose: 'prefetching' }, 'click'],
  [{ purpose: `${' '.repeat(10_000)}prefetch` }, 'click'],
  ...[
    ...[fetching('document', 'navigate'), fetching('document', 'navigate', '?1')],
    ...[fetching('document'), fetching('iframe', 'navigate', '?1')],
    // Chromium's "Save link as", and Node's fetch.
    ...[fetching('empty', 'navigate'), fetching(undefined, 'cors')],
    // No browser sends these.
    ...[fetching(undefined, 'navigate'), fetching('', '')],
    fetching('document, document', 'navigate, navigate'),
    fetching('image'.repeat(2_000), 'cors'.repeat(2_000)),
  ].map((headers) => [headers, 'click'] as const),
  ...[
    ...[fetching('iframe', 'navigate'), fetching('frame', 'navigate'), fetching('iframe')],
    ...[fetching('object', 'navigate'), fetching('embed', 'navigate'), fetching('image')],
    ...[fetching('fencedframe', 'navigate', '?0'), fetching('image', 'no-cors')],
    ...[fetching('image', 'cors', '?1'), fetching('video', 'no-cors'), fetching('empty', 'cors')],
    ...[fetching('empty'), fetching('a-new-destination', 'no-cors')],
  ].map((headers) => [headers, 'embed'] as const),
] as const)('the purpose of a request with %j is %s', (headers, purpose) => {
  expect(readPurpose(headers)).toBe(purpose);
});
