import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { urlCacheSeconds } from '../../../lib/links/links.ts';
import { startTableOfFunctions } from '../../helpers/scripted-table.ts';

const url = 'https://example.com/';
const item = { Item: { url: { S: url } } };
const nothing = {};
const cachedMs = urlCacheSeconds * 1_000;
const linksFile = '../../../lib/links/links.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.doUnmock(linksFile);
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

  test("does not save another link's read", async () => {
    const { readUrl, requests } = await startTableThatAnswers(item, item);

    await readUrl('abcd');
    await readUrl('efgh');

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

test('the cache keeps the 3,000 most recently visited URLs', async () => {
  vi.stubEnv('TABLE_NAME', 'clicks');
  const getLink = vi.fn(async (_table: object, _code: string) => ({ url }));
  vi.doMock(linksFile, async (original) => ({ ...(await original<object>()), getLink }));
  const { readUrl } = await import('../../../lib/links/read-url.ts');
  for (let index = 0; index <= 3_000; index += 1) await readUrl(`link-${index}`);
  getLink.mockClear();

  await readUrl('link-1');
  await readUrl('link-0');

  expect(getLink.mock.calls.map(([, code]) => code)).toEqual(['link-0']);
});
