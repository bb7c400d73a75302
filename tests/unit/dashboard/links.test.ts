import { beforeEach, describe, expect, test, vi } from 'vitest';

const { signal } = await vi.hoisted(() => import('@preact/signals'));
const listLinks = vi.fn();
const readStats = vi.fn();
const updateLink = vi.fn();
const state = signal('live');
const today = signal('2026-05-26');
const live = { state, sawRead: vi.fn(), show: vi.fn(), watch: vi.fn() };
vi.doMock('../../../dashboard/state/browser.ts', () => ({ today }));
vi.doMock('../../../dashboard/state/services.ts', () => ({
  api: { listLinks, readStats, updateLink },
  live,
}));

type List = typeof import('../../../dashboard/state/links.ts');
type Arrangement = typeof import('../../../dashboard/state/arrangement.ts');
type Problems = typeof import('../../../dashboard/state/problems.ts');
let list: List & Arrangement;
let failure: (status: number) => InstanceType<Problems['ApiError']>;

beforeEach(async () => {
  vi.resetAllMocks();
  vi.resetModules();
  [state.value, today.value] = ['live', '2026-05-26'];
  list = {
    ...(await import('../../../dashboard/state/links.ts')),
    ...(await import('../../../dashboard/state/arrangement.ts')),
  };
  const { ApiError } = await import('../../../dashboard/state/problems.ts');
  failure = (status) => new ApiError(status, 'the reason');
});

/** An answer with these links, newest first, with as many clicks as given, one of which is today. */
function page(clicksOf: Record<string, number>, cursor?: string) {
  const links = Object.entries(clicksOf).map(([code, clicks], index) => ({
    ...{ code, url: `https://example.com/to-${code}`, clicks, people: clicks, bots: 0 },
    createdAt: new Date(Date.parse('2026-05-20') - index).toISOString(),
    today: { date: '2026-05-26', count: Math.min(clicks, 1), people: 1, bots: 0 },
  }));
  return { links, cursor };
}

const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`link-${index}`, 2]));

describe('the list', () => {
  test('is read in pages: the first is shown at once, without a total', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    listLinks.mockResolvedValueOnce(page({ new: 5 }, 'after-new')).mockReturnValueOnce(promise);

    const isLoaded = list.loadLinks();
    await vi.waitFor(() => expect(list.links.value).toHaveLength(1));

    expect([list.isComplete.value, list.total.value]).toEqual([false, undefined]);
    resolve(page({ old: 7 }));
    await isLoaded;
    expect(list.isComplete.value).toBe(true);
    expect(list.total.value).toEqual({ links: 2, clicks: 12, today: 2, asOfMs: undefined });
    const next = { limit: 1_000, cursor: 'after-new' };
    expect(listLinks.mock.calls).toEqual([[{ limit: 100 }], [next]]);
  });

  test('stays incomplete if a page fails, and continues there', async () => {
    listLinks
      .mockResolvedValueOnce(page({ new: 5 }, 'after-new'))
      .mockRejectedValueOnce(failure(0));

    await list.loadLinks();
    expect(list.linksProblem.value?.action).toBe('retry');
    expect([list.links.value?.length, list.total.value]).toEqual([1, undefined]);
    listLinks.mockResolvedValueOnce(page({ old: 7 }));
    await list.loadLinks();

    expect(listLinks).toHaveBeenLastCalledWith({ limit: 1_000, cursor: 'after-new' });
    expect(list.total.value).toMatchObject({ links: 2, clicks: 12 });
    expect(list.linksProblem.value).toBeUndefined();
  });

  test('keeps a change that is made while it is read', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    listLinks.mockResolvedValueOnce(page({ docs: 5 })).mockReturnValueOnce(promise);
    await list.loadLinks();
    const isLoaded = list.loadLinks();
    updateLink.mockResolvedValue({ ...list.links.value?.[0], disabled: true });

    await list.updateLink('docs', { disabled: true });
    resolve(page({ docs: 5 }));
    await isLoaded;

    expect(list.links.value).toMatchObject([{ code: 'docs', disabled: true }]);
  });

  test('begins again if its cursor is refused', async () => {
    listLinks
      .mockResolvedValueOnce(page({ gone: 5 }, 'after-gone'))
      .mockRejectedValueOnce(failure(400));
    await list.loadLinks();
    listLinks.mockResolvedValueOnce(page({ old: 7 }));

    await list.loadLinks();

    expect(list.links.value?.map(({ code }) => code)).toEqual(['old']);
  });
});

describe('the total', () => {
  test.each([
    ['is live', 'live', { one: 2, two: 3 }, false],
    ['has a time while pushes are missing', 'behind', { one: 2, two: 3 }, true],
    ['has a time if more links than a connection watches are in it', 'live', many, true],
  ])('%s', async (_, connection, clicksOf, hasTime) => {
    state.value = connection;
    listLinks.mockResolvedValue(page(clicksOf));
    const before = Date.now();

    await list.loadLinks();

    const { asOfMs } = list.total.value ?? {};
    expect(asOfMs !== undefined).toBe(hasTime);
    if (asOfMs !== undefined) expect(asOfMs).toBeGreaterThanOrEqual(before);
  });

  test('keeps the time of the last complete read if the next one fails', async () => {
    vi.useFakeTimers({ now: 1_000, toFake: ['Date'] });
    state.value = 'failing';
    listLinks.mockResolvedValueOnce(page({ one: 2 }));
    await list.loadLinks();
    vi.setSystemTime(60_000);
    listLinks.mockRejectedValueOnce(failure(0));

    await list.loadLinks();

    vi.useRealTimers();
    expect(list.total.value).toMatchObject({ clicks: 2, asOfMs: 1_000 });
  });

  test('of a new day is unknown until it is read', async () => {
    listLinks.mockResolvedValue(page({ one: 2 }));
    await list.loadLinks();

    today.value = '2026-05-27';

    expect(list.total.value).toMatchObject({ clicks: 2, today: undefined });
  });
});

test('search and order cover every loaded link, by code, destination, and clicks', async () => {
  listLinks.mockResolvedValue(page({ Beta: 1, alpha: 30, gamma: 5 }));
  await list.loadLinks();
  const codes = () => list.found.value.map(({ code }) => code);

  expect(codes()).toEqual(['Beta', 'alpha', 'gamma']);
  list.order.value = 'clicks';
  expect(codes()).toEqual(['alpha', 'gamma', 'Beta']);
  list.order.value = 'code';
  expect(codes()).toEqual(['alpha', 'Beta', 'gamma']);
  list.query.value = ' BET ';
  expect(codes()).toEqual(['Beta']);
  list.query.value = 'to-gam';
  expect(codes()).toEqual(['gamma']);
});

describe('the last days', () => {
  test('are read for the rows on screen only, and unknown before', async () => {
    listLinks.mockResolvedValue(page({ shown: 4, other: 4, today: 1 }));
    readStats.mockResolvedValue({
      ...{ clicks: 4, days: [{ date: '2026-05-25', count: 3, people: 3, bots: 0 }] },
    });
    list.onScreen.value = new Set(['shown', 'today']);

    await list.loadLinks();

    expect(list.lastDaysOf('shown')).toEqual([...Array(12).fill(0), 3, 1]);
    expect(list.lastDaysOf('other')).toBeUndefined();
    // A link without earlier clicks needs no request.
    expect(list.lastDaysOf('today')).toEqual([...Array(13).fill(0), 1]);
    expect(readStats.mock.calls).toEqual([['shown', { from: '2026-05-13' }]]);
    await list.loadLinks();
    expect(readStats).toHaveBeenCalledTimes(1);
  });

  test('stay unknown if they cannot be read, which the list says', async () => {
    listLinks.mockResolvedValue(page({ shown: 4 }));
    readStats.mockRejectedValue(failure(503));
    list.onScreen.value = new Set(['shown']);

    await list.loadLinks();

    expect(list.lastDaysOf('shown')).toBeUndefined();
    expect(list.linksProblem.value?.action).toBe('retry');
    expect(list.total.value).toMatchObject({ clicks: 4, today: 1 });
  });
});
