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
  [fetching('document', 'navigate'), 'click'],
  [fetching('document', 'navigate', '?1'), 'click'],
  [fetching('document'), 'click'],
  // Chromium's "Save link as".
  [fetching('empty', 'navigate'), 'click'],
  [fetching('iframe', 'navigate', '?1'), 'click'],
  [fetching('iframe', 'navigate'), 'embed'],
  [fetching('frame', 'navigate'), 'embed'],
  [fetching('object', 'navigate'), 'embed'],
  [fetching('embed', 'navigate'), 'embed'],
  [fetching('fencedframe', 'navigate', '?0'), 'embed'],
  [fetching('iframe'), 'embed'],
  [fetching('image', 'no-cors'), 'embed'],
  [fetching('image', 'cors', '?1'), 'embed'],
  [fetching('image'), 'embed'],
  [fetching('video', 'no-cors'), 'embed'],
  [fetching('empty', 'cors'), 'embed'],
  [fetching('empty'), 'embed'],
  [fetching(undefined, 'navigate'), 'click'],
  // Node's fetch.
  [fetching(undefined, 'cors'), 'click'],
  [fetching('a-new-destination', 'no-cors'), 'embed'],
  // No browser sends these.
  [fetching('', ''), 'click'],
  [fetching('document, document', 'navigate, navigate'), 'click'],
  [fetching('image'.repeat(2_000), 'cors'.repeat(2_000)), 'click'],
] as const)('the purpose of a request with %j is %s', (headers, purpose) => {
  expect(readPurpose(headers)).toBe(purpose);
});
