import { expect, test, vi } from 'vitest';
import { urlCacheSeconds } from '../../../lib/redirect/url-cache.ts';
import { useClock } from '../../helpers/clock.ts';
import { useOutput } from '../../helpers/output.ts';
import { type Answer, answerJson } from '../../helpers/scripted-service.ts';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

const url = 'https://example.com/';
const { passSeconds } = useClock('2026-05-26T10:00:00Z');
const cachedMs = urlCacheSeconds * 1_000;
useOutput();

/** The module with an empty cache. */
const load = () => import('../../../lib/redirect/find-link.ts');

const appended = [
  '.',
  ').',
  '”',
  '/',
  'です',
  '\u200b',
  '👍🏽',
  '._.',
  '%22',
  '%E2%80%9D',
  '%E2%80',
  '&utm_source=soup',
  '&amp;utm_source=soup',
  '%3Futm_source=soup',
  '%253Futm_source%3Dsoup',
  '/%3Futm_source=soup',
  '%EF%BC%88%60fix/desktop%60',
  '%22%3Eour%20sale%3C/a%3E',
  ') and more',
  '…Read more',
  '...Read more',
  '."And',
  '。それから later',
  '」later',
  '\u200blater',
  ';jsessionid=1',
  '%7Clater',
  '%0D%0Alater',
  '%zz',
  `&utm_campaign=${'x'.repeat(1_000)}`,
];
const spellings: [codes: string[], paths: string[]][] = [
  [['spring'], [...appended.map((end) => `spring${end}`), '(spring)', '“spring”,']],
  [['spring'], ['\u200bspring', '%E2%80%8Bspring', '/spring', '%22spring']],
  [
    ['SPRING', 'spring'],
    ['SPRING', 'SPRING.'],
  ],
  [['a'], ['a', 'a.', 'a._']],
  [['menu.pdf'], ['menu.pdf', 'menu.pdf.', '(menu.pdf)', 'menu.pdf…']],
  [['a'], ['a..b', 'a.-b']],
  [[], ['', '%2e%2e', 'spring/stats', 'spring//stats', 'springсlone', 'straße', '../etc/passwd']],
  [[], ['a'.repeat(65), `${'a'.repeat(65)}&b`, 'übung']],
  [[], ['.env', '%2Eenv', '“.env', '(.env)', '/.env', '.well-known/a', 'spring/.env', '..a']],
];

test.each(spellings)('the codes %j are those of several paths', async (codes, paths) => {
  await startTableOfFunctions();
  const { listSpellings } = await load();

  for (const path of paths) expect(listSpellings(path), path).toEqual(codes);
});

const found = { Item: { url: { S: url } } };
const disabled = { Item: { ...found.Item, disabled: { BOOL: true } } };
const deleted = { Item: { ...found.Item, deletedAt: { S: '2026-05-25T10:00:00.000Z' } } };

test.each([
  {
    title: 'once a code with capital letters that exists',
    path: 'Spring!',
    answers: [found],
    reads: ['Spring'],
    result: 'Spring',
  },
  {
    title: 'its lower-case form if it does not',
    path: 'SPRING',
    answers: [{}, found],
    reads: ['SPRING', 'spring'],
    result: 'spring',
  },
  {
    title: 'nothing else if the code is disabled',
    path: 'Spring',
    answers: [disabled],
    reads: ['Spring'],
    result: 410,
  },
  {
    title: 'nothing else if the code is deleted',
    path: 'Spring',
    answers: [deleted, found],
    reads: ['Spring'],
    result: 404,
  },
  {
    title: 'an unknown code once',
    path: 'spring.',
    answers: [{}, {}],
    reads: ['spring'],
    result: 404,
  },
  {
    title: 'an unknown code twice if it has capital letters',
    path: 'Sprin_G',
    answers: [],
    reads: ['Sprin_G', 'sprin_g'],
    result: 404,
  },
  {
    title: 'nothing if no link can have the code',
    path: '.env',
    answers: [],
    reads: [],
    result: 404,
  },
])('a visit reads $title', async ({ path, answers, reads, result }) => {
  const requests = await startTableOfFunctions(...answers);
  const { findLink } = await load();

  const outcome = await findLink(path).catch((error) => error);

  expect(requests).toMatchObject(
    reads.map((code, index) => ({
      Key: { PK: { S: `LINK#${code}` } },
      ConsistentRead: index === 0,
    })),
  );
  expect(outcome.code ?? outcome.statusCode).toBe(result);
});

const until = (expiresAt: string) => ({ Item: { url: { S: url }, expiresAt: { S: expiresAt } } });
const soon = until('2026-05-26T10:00:10.000Z');
const later = until('2026-05-27T10:00:00.000Z');
const isUnknown = 'There is no link with the code "abcd".';
const isDisabled = 'The link with the code "abcd" is disabled.';
const hasExpired = 'The link with the code "abcd" has expired.';
const isUnavailable =
  'The link with the code "abcd" can\'t be looked up now. Try again in a minute.';

/** For each time of a visit in ms, its URL or why there is none. */
type Visits = Record<number, string>;

async function visitAt(times: number[], path: string): Promise<Visits> {
  const { findLink } = await load();
  const results: Visits = {};
  for (const ms of times) {
    passSeconds(ms / 1_000);
    results[ms] = await findLink(path).then(
      (link) => link.url,
      (error) => error.message,
    );
  }
  return results;
}

test.each<[string, answers: object[], visits: Visits, reads: number]>([
  ['is not read again while its URL is cached', [found], { 0: url, [cachedMs]: url }, 1],
  ['is read each time while it is unknown', [{}, found], { 0: isUnknown, 1: url }, 2],
  ['is gone once disabled', [found, disabled], { 0: url, [cachedMs + 1]: isDisabled }, 2],
  ['redirects as soon as it is enabled', [disabled, found], { 0: isDisabled, 1: url }, 2],
  ['redirects from the cache until it expires', [soon], { 0: url, 9999: url }, 1],
  ['never redirects longer', [soon, soon], { 0: url, 10001: hasExpired }, 2],
  ['does not expire if it was extended while cached', [soon, later], { 0: url, 10001: url }, 2],
])('a link %s', async (_, answers, visits, reads) => {
  const requests = await startTableOfFunctions(...answers);

  expect(await visitAt(Object.keys(visits).map(Number), 'abcd')).toEqual(visits);

  // Consistent reads find a new or re-enabled link.
  expect(requests).toMatchObject(Array(reads).fill({ ConsistentRead: true }));
});

const rejected = answerJson(400, { __type: 'AccessDeniedException' });
/** Such as a proxy's. From DynamoDB, it would mean that the link doesn't exist. */
const nonsense = answerJson(200, {});
const hourMs = 3_600_000;
const staleMs = cachedMs + 1;
const moved = { Item: { url: { S: 'https://example.com/moved' } } };

test.each<[string, answers: (object | Answer)[], visits: Visits, reads: number]>([
  [
    'redirects for an hour after its last read',
    [found, rejected, rejected, rejected],
    { 0: url, [staleMs]: url, [hourMs - 1]: url, [hourMs]: isUnavailable },
    4,
  ],
  [
    'is read again after five seconds',
    [found, rejected, moved],
    { 0: url, [staleMs]: url, [staleMs + 4_999]: url, [staleMs + 5_000]: moved.Item.url.S },
    3,
  ],
  ['redirects if something else answers', [found, nonsense], { 0: url, [staleMs]: url }, 2],
  ['expires on time', [soon, rejected], { 0: url, 10001: hasExpired }, 2],
  [
    'stays disabled',
    [found, disabled, rejected],
    { 0: url, [staleMs]: isDisabled, [staleMs + 1]: isDisabled },
    3,
  ],
  [
    'does not come back after its end',
    [found, {}, rejected],
    { 0: url, [staleMs]: isUnknown, [staleMs + 1]: isUnavailable },
    3,
  ],
  [
    'may exist if it was never read',
    [rejected, nonsense],
    { 0: isUnavailable, 1: isUnavailable },
    2,
  ],
])('while DynamoDB fails, a link %s', async (_, answers, visits, reads) => {
  const requests = await startTableOfFunctions(...answers);

  expect(await visitAt(Object.keys(visits).map(Number), 'abcd')).toEqual(visits);

  expect(requests).toHaveLength(reads);
});

test('while DynamoDB fails, a link redirects for as long as STALE_LINK_SECONDS says', async () => {
  vi.stubEnv('STALE_LINK_SECONDS', '0');
  await startTableOfFunctions(found, rejected);

  const visits = { 0: url, [staleMs]: isUnavailable };
  expect(await visitAt([0, staleMs], 'abcd')).toEqual(visits);
});

test('while DynamoDB fails, a link redirects in the spelling in which it was visited', async () => {
  await startTableOfFunctions({}, found, rejected);

  expect(await visitAt([0, staleMs], 'ABCD')).toEqual({ 0: url, [staleMs]: url });
});
