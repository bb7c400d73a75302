import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

const { signal } = await vi.hoisted(() => import('@preact/signals'));
const listLinks = vi.fn();
const readStats = vi.fn();
const updateLink = vi.fn();
const deleteLink = vi.fn();
const restoreLink = vi.fn();
const state = signal('live');
const today = signal('2026-05-26');
const hash = signal('');
const now = signal(Date.parse('2026-05-26'));
const live = { state, sawRead: vi.fn(), show: vi.fn(), watch: vi.fn() };
vi.doMock('../../../dashboard/state/browser.ts', () => ({ today, hash, now }));
vi.doMock('../../../dashboard/state/services.ts', () => ({
  api: { deleteLink, listLinks, readStats, restoreLink, updateLink },
  live,
}));

const importList = async () => ({
  ...(await import('../../../dashboard/state/links.ts')),
  ...(await import('../../../dashboard/state/arrangement.ts')),
  ...(await import('../../../dashboard/state/deleted-links.ts')),
  ...(await import('../../../dashboard/state/problems.ts')),
});
let list: Awaited<ReturnType<typeof importList>>;

beforeEach(async () => {
  vi.resetAllMocks();
  vi.resetModules();
  [state.value, today.value, hash.value] = ['live', '2026-05-26', ''];
  list = await importList();
});

const failure = (status: number) => new list.ApiError(status, 'the reason');

/** An answer with these links, newest first, with as many clicks as given, one of which is today. */
function page(clicksOf: Record<string, number>, cursor?: string) {
  const links = Object.entries(clicksOf).map(([code, clicks], index) => ({
    code,
    shortUrl: `https://go.example.com/${code}`,
    url: `https://example.com/to-${code}`,
    clicks,
    people: clicks,
    bots: 0,
    createdAt: new Date(Date.parse('2026-05-20') - index).toISOString(),
    today: { date: '2026-05-26', count: Math.min(clicks, 1), people: 1, bots: 0 },
  }));
  return { links, cursor };
}

/** Reads the list, which has these links. */
async function load(clicksOf: Record<string, number>): Promise<void> {
  listLinks.mockResolvedValueOnce(page(clicksOf));
  await list.loadLinks();
}

const shownCodes = () => list.links.value?.map(({ code }) => code);
const foundCodes = () => list.found.value.map(({ code }) => code);

const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`link-${index}`, 2]));

describe('the list', () => {
  test('is read in pages: the first is shown at once, without a total', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    listLinks.mockResolvedValueOnce(page({ new: 5 }, 'after-new')).mockReturnValueOnce(promise);

    const isLoaded = list.loadLinks();
    await vi.waitFor(() => expect(list.links.value).toHaveLength(1));

    expect(list.isComplete.value).toBe(false);
    expect(list.total.value).toBeUndefined();
    resolve(page({ old: 7 }));
    await isLoaded;
    expect(list.isComplete.value).toBe(true);
    expect(list.total.value).toEqual({ links: 2, clicks: 12, today: 2, asOfMs: undefined });
    const next = { limit: 1_000, cursor: 'after-new' };
    expect(listLinks.mock.calls).toEqual([[{ limit: 100 }], [next]]);
  });

  test.each([
    {
      title: 'continues there if a page fails',
      status: 0,
      cursor: 'after-new',
      codes: ['new', 'old'],
    },
    {
      title: 'begins again if its cursor is rejected',
      status: 400,
      cursor: undefined,
      codes: ['old'],
    },
  ])('$title', async ({ status, cursor, codes }) => {
    listLinks
      .mockResolvedValueOnce(page({ new: 5 }, 'after-new'))
      .mockRejectedValueOnce(failure(status));

    await list.loadLinks();
    expect(list.linksProblem.value?.action).toBe('retry');
    expect(list.links.value?.length).toBe(1);
    expect(list.total.value).toBeUndefined();
    await load({ old: 7 });

    expect(listLinks.mock.lastCall?.[0].cursor).toBe(cursor);
    expect(shownCodes()).toEqual(codes);
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

  test('keeps the order of links that were imported at one time when one of them changes', async () => {
    const { links } = page({ a: 1, b: 1, c: 1 });
    const createdAt = '2026-05-20T00:00:00.000Z';
    listLinks.mockResolvedValueOnce({ links: links.map((link) => ({ ...link, createdAt })) });
    await list.loadLinks();
    updateLink.mockResolvedValue({ ...list.links.value?.[0], disabled: true });

    await list.updateLink('a', { disabled: true });

    expect(shownCodes()).toEqual(['a', 'b', 'c']);
    expect(list.links.value?.[0]).toMatchObject({ disabled: true });
  });
});

describe('a deleted link', () => {
  test('is gone, even if a read that began before still has it, and comes back when restored', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    listLinks.mockResolvedValueOnce(page({ docs: 5, blog: 2 })).mockReturnValueOnce(promise);
    await list.loadLinks();
    const [docs] = list.links.value ?? [];
    const isLoaded = list.loadLinks();

    await list.deleteLink('docs');
    resolve(page({ docs: 5, blog: 2 }));
    await isLoaded;

    expect(shownCodes()).toEqual(['blog']);
    expect(list.total.value?.clicks).toBe(2);
    expect(list.lastDeleted.value).toBe('docs');
    restoreLink.mockResolvedValue({ ...docs, clicks: 6 });
    await list.restoreLink('docs');
    expect(shownCodes()).toEqual(['docs', 'blog']);
    expect(list.total.value?.clicks).toBe(8);
    expect(list.lastDeleted.value).toBeUndefined();
  });

  test('stays if deleting it fails, and stays away if restoring it does', async () => {
    await load({ docs: 5 });
    deleteLink.mockRejectedValueOnce(failure(500));
    restoreLink.mockRejectedValueOnce(failure(404));

    await expect(list.deleteLink('docs')).rejects.toThrow();
    expect(list.links.value).toHaveLength(1);
    await list.deleteLink('docs');
    await expect(list.restoreLink('docs')).rejects.toThrow();
    expect(list.links.value).toEqual([]);
    expect(list.lastDeleted.value).toBe('docs');
  });

  test('is read with all others, a page after the other', async () => {
    listLinks
      .mockResolvedValueOnce(page({ docs: 5 }, 'after-docs'))
      .mockResolvedValueOnce(page({ blog: 2 }));

    expect((await list.readDeleted()).map(({ code }) => code)).toEqual(['docs', 'blog']);
    const query = { limit: 1_000, deleted: 'true' };
    expect(listLinks.mock.calls).toEqual([[query], [{ ...query, cursor: 'after-docs' }]]);
  });
});

test.each([
  ['is live', 'live', { one: 2, two: 3 }, undefined],
  ['has a time while pushes are missing', 'behind', { one: 2, two: 3 }, 1_000],
  ['has a time if more links than a connection watches are in it', 'live', many, 1_000],
])('the total %s, and keeps it if the next read fails', async (_, connection, clicksOf, asOfMs) => {
  vi.useFakeTimers({ now: 1_000, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  state.value = connection;
  listLinks.mockResolvedValueOnce(page(clicksOf)).mockRejectedValueOnce(failure(0));
  const links = Object.keys(clicksOf).length;

  await list.loadLinks();
  expect(list.total.value).toMatchObject({ links, today: links, asOfMs });
  vi.setSystemTime(60_000);
  await list.loadLinks();

  expect(list.total.value).toMatchObject({ links, today: links, asOfMs });
  // On a new day, it is unknown until it is read.
  today.value = '2026-05-27';
  expect(list.total.value).toMatchObject({ links, today: undefined });
});

test.each([
  ['newest', '', ['Beta', 'alpha', 'gamma']],
  ['clicks', '', ['alpha', 'gamma', 'Beta']],
  ['code', '', ['alpha', 'Beta', 'gamma']],
  ['code', ' BET ', ['Beta']],
  ['code', 'to-gam', ['gamma']],
] as const)('the links in the order of %s that "%s" finds are %j', async (order, query, codes) => {
  await load({ Beta: 1, alpha: 30, gamma: 5 });
  list.order.value = order;
  list.query.value = query;

  expect(foundCodes()).toEqual(codes);
});

test('a link with an open dialog stays found until the next search, even if it changes', async () => {
  await load({ one: 1, two: 1 });
  list.query.value = 'to-one';
  expect(foundCodes()).toEqual(['one']);

  list.keep('one');
  updateLink.mockResolvedValue({ ...list.links.value?.[0], url: 'https://example.com/elsewhere' });
  await list.updateLink('one', {});

  expect(foundCodes()).toEqual(['one']);
  list.query.value = 'to-';
  expect(foundCodes()).toEqual(['two']);
});

test('the last days are read for the rows on screen only, and unknown before', async () => {
  listLinks.mockResolvedValue(page({ shown: 4, other: 4, today: 1 }));
  readStats.mockResolvedValue({
    clicks: 4,
    days: [{ date: '2026-05-25', count: 3, people: 3, bots: 0 }],
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
  // After midnight, they're read again, and today has no clicks.
  today.value = '2026-05-27';
  const shifted = [...Array(11).fill(0), 3, 1, 0];
  await vi.waitFor(() => expect(list.lastDaysOf('shown')).toEqual(shifted));
});

test('the last days stay unknown if they cannot be read, which the list says', async () => {
  listLinks.mockResolvedValue(page({ shown: 4 }));
  readStats.mockRejectedValue(failure(503));
  list.onScreen.value = new Set(['shown']);

  await list.loadLinks();

  expect(list.lastDaysOf('shown')).toBeUndefined();
  expect(list.linksProblem.value?.action).toBe('retry');
  expect(list.total.value).toMatchObject({ clicks: 4, today: 1 });
});

test('a link that was deleted elsewhere leaves the list when its last days are read, without a problem', async () => {
  listLinks.mockResolvedValue(page({ gone: 4, other: 4 }));
  readStats.mockRejectedValueOnce(failure(404)).mockResolvedValue({ clicks: 4, days: [] });
  list.onScreen.value = new Set(['gone', 'other']);

  await list.loadLinks();

  await vi.waitFor(() => expect(foundCodes()).toEqual(['other']));
  expect(list.linksProblem.value).toBeUndefined();
  expect(list.lastDaysOf('other')).toBeDefined();
});
