import type { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { urlCacheSeconds } from '../../../lib/links/url-cache-seconds.ts';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

const url = 'https://example.com/';
const item = { Item: { url: { S: url } } };
const nothing = {};
const cachedMs = urlCacheSeconds * 1_000;
const clientFile = '../../../lib/dynamodb/base-client.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
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
  const { readUrl } = await import('../../../lib/links/read-url.ts');
  return { readUrl, requests };
}

describe('a link that was found', () => {
  test('is not read again while its URL is cached', async () => {
    const { readUrl, requests } = await startTableThatAnswers(item);

    await readUrl('abcd');
    vi.advanceTimersByTime(cachedMs);

    expect(await readUrl('abcd')).toBe(url);
    expect(requests).toHaveLength(1);
  });

  test('is read again after 30 seconds, even if it was visited meanwhile', async () => {
    const { readUrl, requests } = await startTableThatAnswers(item, item);

    await readUrl('abcd');
    vi.advanceTimersByTime(20_000);
    await readUrl('abcd');
    vi.advanceTimersByTime(10_001);

    expect(await readUrl('abcd')).toBe(url);
    expect(requests).toHaveLength(2);
  });
});

test('reads are consistent, so a new or re-enabled link is found', async () => {
  const { readUrl, requests } = await startTableThatAnswers(item);

  await readUrl('abcd');

  expect(requests).toMatchObject([{ ConsistentRead: true }]);
});

test('an unknown code is read each time, so a new link is found at once', async () => {
  const { readUrl, requests } = await startTableThatAnswers(nothing, item);

  expect(await readUrl('abcd')).toBeUndefined();
  expect(await readUrl('abcd')).toBe(url);
  expect(requests).toHaveLength(2);
});

describe('a link that is disabled', () => {
  const disabled = { Item: { url: { S: url }, disabled: { BOOL: true } } };
  const gone = { statusCode: 410, message: 'The link with the code "abcd" is disabled.' };

  test('redirects only while its URL is cached', async () => {
    const { readUrl } = await startTableThatAnswers(item, disabled);
    await readUrl('abcd');

    vi.advanceTimersByTime(cachedMs);
    expect(await readUrl('abcd')).toBe(url);
    vi.advanceTimersByTime(1);

    await expect(readUrl('abcd')).rejects.toMatchObject(gone);
  });

  test('is read each time, so it redirects as soon as it is enabled', async () => {
    const { readUrl } = await startTableThatAnswers(disabled, item);

    await expect(readUrl('abcd')).rejects.toMatchObject(gone);

    expect(await readUrl('abcd')).toBe(url);
  });
});

describe('a link that expires', () => {
  const now = Date.parse('2026-05-26T10:00:00Z');
  const until = (expiresAt: string) => ({ Item: { url: { S: url }, expiresAt: { S: expiresAt } } });
  const gone = { statusCode: 410, message: 'The link with the code "abcd" has expired.' };

  beforeEach(() => {
    vi.setSystemTime(now);
  });

  test('redirects until then, even though its URL is cached, and never longer', async () => {
    const link = until('2026-05-26T10:00:10.000Z');
    const { readUrl, requests } = await startTableThatAnswers(link, link);

    await readUrl('abcd');
    vi.setSystemTime(now + 9_999);
    expect(await readUrl('abcd')).toBe(url);
    expect(requests).toHaveLength(1);
    vi.setSystemTime(now + 10_001);

    await expect(readUrl('abcd')).rejects.toMatchObject(gone);
  });

  test('is read again after 30 seconds, however late it expires', async () => {
    const link = until('2030-01-01T00:00:00.000Z');
    const { readUrl, requests } = await startTableThatAnswers(link, link);

    await readUrl('abcd');
    vi.setSystemTime(now + cachedMs + 1);
    await readUrl('abcd');

    expect(requests).toHaveLength(2);
  });

  test('redirects again as soon as its owner extends it', async () => {
    const { readUrl } = await startTableThatAnswers(
      until('2026-05-26T10:00:00.000Z'),
      until('2026-05-27T10:00:00.000Z'),
    );

    await expect(readUrl('abcd')).rejects.toMatchObject(gone);

    expect(await readUrl('abcd')).toBe(url);
  });

  test('does not expire early if it was extended while it was cached', async () => {
    const { readUrl } = await startTableThatAnswers(
      until('2026-05-26T10:00:10.000Z'),
      until('2026-05-27T10:00:00.000Z'),
    );

    await readUrl('abcd');
    vi.setSystemTime(now + 10_001);

    expect(await readUrl('abcd')).toBe(url);
  });
});

test('the cache keeps the 3,000 most recently visited URLs', async () => {
  const send = vi.fn(async (_command: GetItemCommand) => item);
  vi.doMock(clientFile, () => ({ baseClient: { send }, tableName: 'clicks' }));
  const { readUrl } = await import('../../../lib/links/read-url.ts');
  for (let index = 0; index <= 3_000; index += 1) await readUrl(`link-${index}`);
  send.mockClear();

  await readUrl('link-1');
  await readUrl('link-0');

  const read = send.mock.calls.map(([{ input }]) => input.Key?.PK);
  expect(read).toEqual([{ S: 'LINK#link-0' }]);
});
