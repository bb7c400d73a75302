import type { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { urlCacheSeconds } from '../../../lib/links/link-update.ts';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

const url = 'https://example.com/';
const item = { Item: { url: { S: url } } };
const now = Date.parse('2026-05-26T10:00:00Z');
const cachedMs = urlCacheSeconds * 1_000;
const clientFile = '../../../lib/dynamodb/base-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.doUnmock(clientFile);
  vi.resetModules();
});

/** A table with these answers, and a reader with an empty cache. */
async function startTableThatAnswers(...answers: object[]) {
  const requests = await startTableOfFunctions(...answers);
  const { readUrl } = await import('../../../lib/links/find-link.ts');
  return { readUrl, requests };
}

const disabled = { Item: { url: { S: url }, disabled: { BOOL: true } } };
const isDisabled = 'The link with the code "abcd" is disabled.';
const until = (expiresAt: string) => ({ Item: { url: { S: url }, expiresAt: { S: expiresAt } } });
const isOver = until('2026-05-26T10:00:00.000Z');
const soon = until('2026-05-26T10:00:10.000Z');
const later = until('2026-05-27T10:00:00.000Z');
const hasExpired = 'The link with the code "abcd" has expired.';

/** For each time of a visit, its URL or why there is none. */
type Visits = Record<number, string | undefined>;

test.each<[string, answers: object[], visits: Visits, reads: number]>([
  ['is not read again while its URL is cached', [item], { 0: url, [cachedMs]: url }, 1],
  ['is read again after 30 seconds', [item, item], { 0: url, 20000: url, 30001: url }, 2],
  ['is read each time while it is unknown', [{}, item], { 0: undefined, 1: url }, 2],
  ['redirects while cached if disabled', [item, disabled], { 0: url, [cachedMs]: url }, 1],
  ['is gone after that', [item, disabled], { 0: url, [cachedMs + 1]: isDisabled }, 2],
  ['redirects as soon as it is enabled', [disabled, item], { 0: isDisabled, 1: url }, 2],
  ['redirects from the cache until it expires', [soon], { 0: url, 9999: url }, 1],
  ['never redirects longer', [soon, soon], { 0: url, 10001: hasExpired }, 2],
  ['is read again, however late it expires', [later, later], { 0: url, [cachedMs + 1]: url }, 2],
  ['redirects as soon as it is extended', [isOver, later], { 0: hasExpired, 1: url }, 2],
  ['does not expire if it was extended while cached', [soon, later], { 0: url, 10001: url }, 2],
])('a link %s', async (_, answers, visits, reads) => {
  const { readUrl, requests } = await startTableThatAnswers(...answers);

  const results: Visits = {};
  for (const ms of Object.keys(visits).map(Number)) {
    vi.setSystemTime(now + ms);
    results[ms] = await readUrl('abcd').catch((error) =>
      error.statusCode === 410 ? error.message : error,
    );
  }

  expect(results).toEqual(visits);
  // Consistent reads find a new or re-enabled link.
  expect(requests).toMatchObject(Array(reads).fill({ ConsistentRead: true }));
});

test('the cache keeps the 3,000 most recently visited URLs', async () => {
  const send = vi.fn(async (_command: GetItemCommand) => item);
  vi.doMock(clientFile, () => ({ baseClient: { send }, tableName: 'clicks' }));
  const { readUrl } = await import('../../../lib/links/find-link.ts');
  for (let index = 0; index <= 3_000; index += 1) await readUrl(`link-${index}`);
  send.mockClear();

  await readUrl('link-1');
  await readUrl('link-0');

  const read = send.mock.calls.map(([{ input }]) => input.Key?.PK);
  expect(read).toEqual([{ S: 'LINK#link-0' }]);
});
