import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const { signal } = await vi.hoisted(() => import('@preact/signals'));
const listLinks = vi.fn();
const updateLink = vi.fn();
const deleteLink = vi.fn();
const restoreLink = vi.fn();
const live = { state: signal('live'), sawRead: vi.fn(), show: vi.fn(), watch: vi.fn() };
const today = signal('2026-05-26');
const hash = signal('');
const now = signal(Date.parse('2026-05-26'));
vi.doMock('../../../dashboard/state/browser.ts', () => ({
  today,
  hash,
  now,
  replaceHash: vi.fn(),
}));
vi.doMock('../../../dashboard/state/services.ts', () => ({
  api: { deleteLink, listLinks, restoreLink, updateLink },
  live,
}));

const importBulk = async () => ({
  ...(await import('../../../dashboard/state/links.ts')),
  ...(await import('../../../dashboard/state/arrangement.ts')),
  ...(await import('../../../dashboard/state/bulk.ts')),
  ...(await import('../../../dashboard/state/chosen-links.ts')),
  ...(await import('../../../dashboard/state/problems.ts')),
});
let page: Awaited<ReturnType<typeof importBulk>>;

const linkOf = (code: string, more: object = {}) => ({
  code,
  shortUrl: `https://go.example.com/${code}`,
  url: 'https://example.com/',
  clicks: 0,
  people: 0,
  bots: 0,
  disabled: false,
  createdAt: '2026-05-20T00:00:00.000Z',
  today: { date: '2026-05-26', count: 0, people: 0, bots: 0 },
  ...more,
});
const find = (code: string) => page.links.value?.find((link) => link.code === code);

beforeEach(async () => {
  vi.resetAllMocks();
  vi.resetModules();
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('removeEventListener', vi.fn());
  page = await importBulk();
  const links = [
    linkOf('a', { tags: ['sale'] }),
    linkOf('b'),
    linkOf('c', { tags: ['news'], disabled: true }),
  ];
  listLinks.mockResolvedValue({ links });
  await page.loadLinks();
  updateLink.mockImplementation(
    async (code: string, { expected: _, ...change }: object & { expected?: object }) => ({
      ...find(code),
      ...change,
    }),
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a change of many links', () => {
  test('leaves out those that are like that already, and is undone', async () => {
    page.chooseFound();

    await page.applyToChosen({ kind: 'tag', tag: 'Sale' });

    expect(page.bulkRun.value).toMatchObject({ changed: 2, unchanged: 1, failures: [] });
    expect(updateLink.mock.calls).toEqual([
      ['b', { tags: ['Sale'], expected: { tags: null } }],
      ['c', { tags: ['news', 'Sale'], expected: { tags: ['news'] } }],
    ]);
    expect(find('c')?.tags).toEqual(['news', 'Sale']);
    await page.undoBulk();
    expect(updateLink.mock.calls.slice(2)).toEqual([
      ['b', { tags: null, expected: { tags: ['Sale'] } }],
      ['c', { tags: ['news'], expected: { tags: ['news', 'Sale'] } }],
    ]);
  });

  test.each([
    [{ kind: 'untag', tag: 'NEWS' } as const, ['c', { tags: [], expected: { tags: ['news'] } }]],
    [{ kind: 'enable' } as const, ['c', { disabled: false }]],
  ])('sends only what changes: %j', async (action, request) => {
    page.chooseFound();
    await page.applyToChosen(action);
    expect(updateLink.mock.calls).toEqual([request]);
  });

  test('covers only what the search found, and says what the search hides later', async () => {
    page.search('go.example.com/b');
    page.chooseFound();
    page.search('go.example.com/a');
    expect(page.hiddenCount.value).toBe(1);

    await page.applyToChosen({ kind: 'disable' });

    expect(updateLink.mock.calls).toEqual([['b', { disabled: true }]]);
  });

  test('goes on after a failure, says why, and keeps the failed link chosen', async () => {
    updateLink.mockImplementation(async (code: string) => {
      if (code === 'a') throw new page.ApiError(403, 'An operator took it down.');
      return { ...find(code), expiresAt: '2035-01-01T00:00:00.000Z' };
    });
    page.chooseFound();

    await page.applyToChosen({ kind: 'expire', expiresAt: '2035-01-01T00:00:00.000Z' });

    expect(page.bulkRun.value).toMatchObject({
      changed: 2,
      failures: [{ code: 'a', reason: 'An operator took it down.' }],
    });
    expect([...page.chosenCodes.value]).toEqual(['a']);
    expect([...(page.bulkRun.value?.undo.keys() ?? [])]).toEqual(['b', 'c']);
  });

  test('waits for the limit of a minute, but not for the next day', async () => {
    vi.useFakeTimers();
    updateLink
      .mockRejectedValueOnce(new page.ApiError(429, 'Too many.', undefined, 30))
      .mockRejectedValueOnce(new page.ApiError(429, 'Tomorrow.', undefined, 3_600));
    page.chooseFound();

    const ended = page.applyToChosen({ kind: 'disable' });
    await vi.advanceTimersByTimeAsync(29_000);
    expect(updateLink).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2_000);
    await ended;

    expect(updateLink.mock.calls.map(([code]) => code)).toEqual(['a', 'b', 'a']);
    expect(page.bulkRun.value).toMatchObject({
      changed: 1,
      unchanged: 1,
      failures: [{ code: 'b', reason: 'Tomorrow.' }],
    });
  });

  test('has at most four requests at once, and asks before the viewer leaves', async () => {
    const many = Array.from({ length: 30 }, (_, index) => linkOf(`many-${index}`));
    listLinks.mockResolvedValue({ links: many });
    await page.loadLinks();
    let open = 0;
    let most = 0;
    updateLink.mockImplementation(async (code: string) => {
      open += 1;
      most = Math.max(most, open);
      await Promise.resolve();
      open -= 1;
      return { ...find(code), disabled: true };
    });
    page.chooseFound();

    const ended = page.applyToChosen({ kind: 'disable' });
    expect(addEventListener).toHaveBeenCalledWith('beforeunload', expect.any(Function));
    expect(removeEventListener).not.toHaveBeenCalled();
    await ended;

    expect(most).toBe(4);
    expect(removeEventListener).toHaveBeenCalledWith('beforeunload', expect.any(Function));
    expect(page.links.value?.filter(({ disabled }) => disabled)).toHaveLength(30);
  });

  test('deletes links and restores them', async () => {
    restoreLink.mockImplementation(async (code: string) => linkOf(code));
    page.choose('a', true);
    page.choose('b', true);

    await page.applyToChosen({ kind: 'delete' });
    expect(page.links.value?.map(({ code }) => code)).toEqual(['c']);
    await page.undoBulk();

    expect(restoreLink.mock.calls).toEqual([['a'], ['b']]);
    expect(page.links.value?.map(({ code }) => code).toSorted()).toEqual(['a', 'b', 'c']);
  });
});
