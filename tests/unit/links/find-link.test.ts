import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { urlCacheSeconds } from '../../../lib/links/link-update.ts';
import { stubAwsEnvironment } from '../../helpers/aws-environment.ts';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

const url = 'https://example.com/';
const now = Date.parse('2026-05-26T10:00:00Z');
const cachedMs = urlCacheSeconds * 1_000;
const clientFile = '../../../lib/aws/aws-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  stubAwsEnvironment({ TABLE_NAME: 'clicks' });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.doUnmock(clientFile);
  vi.resetModules();
});

/** The module with an empty cache. */
const load = () => import('../../../lib/links/find-link.ts');

const appended = [
  ...['.', ',', ')', ').', '!', '?', ';', ':', '"', "'", '”', '»', '>', ']', '}', '*', '…', '/'],
  ...['。', '、', '」', '）', 'です', '\u200b', '\u00a0', '\ufeff', '\u2060', '👍🏽', '._.', '/)'],
  ...['%22', '%E2%80%9D', '%E2%80%8B', '%29.', '%', '%E2%80', '%25', '%2F'],
];
const spellings: [codes: string[], paths: string[]][] = [
  [['spring'], [...appended.map((end) => `spring${end}`), '(spring)', '“spring”,']],
  [['spring'], ['\u200bspring', '%E2%80%8Bspring']],
  [['a_b-c_-'], ['a_b-c_-.']],
  [
    ['SPRING', 'spring'],
    ['SPRING', 'SPRING.'],
  ],
  [['sPRING', 'spring'], ['sPRING.']],
  [['a'], ['a', 'a.', 'a._']],
  [['menu.pdf'], ['menu.pdf', 'menu.pdf.', '(menu.pdf)', 'menu.pdf…']],
  [[], ['a..b', '..', '%2e%2e', 'spring/stats', 'spring clone', 'springсlone', '../etc/passwd']],
  [[], ['', '…', 'a'.repeat(65), `${'a.'.repeat(32)}a`, `spring${'.'.repeat(330)}`]],
];

test.each(spellings)('the codes %j are those of each path in %j', async (codes, paths) => {
  const { listSpellings } = await load();

  for (const path of paths) expect(listSpellings(path), path).toEqual(codes);
});

const found = { Item: { url: { S: url } } };
const disabled = { Item: { ...found.Item, disabled: { BOOL: true } } };

test.each([
  ['once a code with capital letters that exists', 'Spring!', [found], ['Spring'], 'Spring'],
  ['its lower-case form if it does not', 'SPRING', [{}, found], ['SPRING', 'spring'], 'spring'],
  ['nothing else if the code is disabled', 'Spring', [disabled], ['Spring'], 410],
  ['an unknown code once', 'spring.', [{}, {}], ['spring'], 404],
  ['an unknown code twice if it has capital letters', 'Sprin_G', [], ['Sprin_G', 'sprin_g'], 404],
  ['nothing if no link can have the code', 'wp-login..php', [], [], 404],
])('a visit reads %s', async (_, path, answers, reads, result) => {
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
const isOver = until('2026-05-26T10:00:00.000Z');
const soon = until('2026-05-26T10:00:10.000Z');
const later = until('2026-05-27T10:00:00.000Z');
const isDisabled = 'The link with the code "abcd" is disabled.';
const hasExpired = 'The link with the code "abcd" has expired.';

/** For each time of a visit, its URL or why there is none. */
type Visits = Record<number, string | undefined>;

test.each<[string, answers: object[], visits: Visits, reads: number]>([
  ['is not read again while its URL is cached', [found], { 0: url, [cachedMs]: url }, 1],
  ['is read again after 30 seconds', [found, found], { 0: url, 20000: url, 30001: url }, 2],
  ['is read each time while it is unknown', [{}, found], { 0: undefined, 1: url }, 2],
  ['redirects while cached if disabled', [found, disabled], { 0: url, [cachedMs]: url }, 1],
  ['is gone after that', [found, disabled], { 0: url, [cachedMs + 1]: isDisabled }, 2],
  ['redirects as soon as it is enabled', [disabled, found], { 0: isDisabled, 1: url }, 2],
  ['redirects from the cache until it expires', [soon], { 0: url, 9999: url }, 1],
  ['never redirects longer', [soon, soon], { 0: url, 10001: hasExpired }, 2],
  ['is read again, however late it expires', [later, later], { 0: url, [cachedMs + 1]: url }, 2],
  ['redirects as soon as it is extended', [isOver, later], { 0: hasExpired, 1: url }, 2],
  ['does not expire if it was extended while cached', [soon, later], { 0: url, 10001: url }, 2],
])('a link %s', async (_, answers, visits, reads) => {
  const requests = await startTableOfFunctions(...answers);
  const { readDestination } = await load();

  const results: Visits = {};
  for (const ms of Object.keys(visits).map(Number)) {
    vi.setSystemTime(now + ms);
    results[ms] = await readDestination('abcd').then(
      (destination) => destination?.url,
      (error) => (error.statusCode === 410 ? error.message : error),
    );
  }

  expect(results).toEqual(visits);
  // Consistent reads find a new or re-enabled link.
  expect(requests).toMatchObject(Array(reads).fill({ ConsistentRead: true }));
});

test('the cache keeps the 3,000 most recently visited URLs', async () => {
  const send = vi.fn(async (_operation: string, _input: { Key: object }) => found);
  vi.doMock(clientFile, () => ({
    AwsClient: class {
      send = send;
    },
  }));
  const { readDestination } = await load();
  for (let index = 0; index <= 3_000; index += 1) await readDestination(`link-${index}`);
  send.mockClear();

  await readDestination('link-1');
  await readDestination('link-0');

  const read = send.mock.calls.map(([, { Key }]) => Key);
  expect(read).toMatchObject([{ PK: { S: 'LINK#link-0' } }]);
});
