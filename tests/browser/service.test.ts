import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../cli/loopback/http-server.ts';
import type { ServerMessage } from '../../lib/live/messages.ts';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { repeatedClick } from '../../local/real-messages.ts';
import { openTab, type Tab } from '../helpers/browser-tab.ts';
import { startGate } from '../helpers/gate.ts';
import { startTestStack } from '../helpers/test-stack.ts';

const wait = { timeout: 150_000, interval: 100 };
// A headless browser's own agent would count as a bot.
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const total = '.total';

const cleanup = new AsyncDisposableStack();
const tabs: Tab[] = [];
let browser: Browser;
let stack: Awaited<ReturnType<typeof startTestStack>>;
/** The browser's connection to the WebSocket API, and the functions'. */
let viewers: Awaited<ReturnType<typeof startGate>>;
let pushes: Awaited<ReturnType<typeof startGate>>;

beforeAll(async () => {
  const destination = createServer((_request, response) => response.end('You have arrived.'));
  const { port, stop } = await listen(destination);
  cleanup.defer(stop);
  browser = await launchBrowser({ everyNameLeadsTo: port });
  cleanup.defer(() => browser.close());
  [viewers, pushes] = await Promise.all([startGate(), startGate()]);
  cleanup.defer(viewers.stop);
  cleanup.defer(pushes.stop);
  const params = {
    // 18 s instead of 90 s until a message is set aside.
    visibilityTimeoutSeconds: 6,
    liveUrl: `ws://127.0.0.1:${viewers.port}`,
    liveEndpoint: `http://127.0.0.1:${pushes.port}`,
  };
  stack = await startTestStack({ params });
  cleanup.defer(stack.stop);
  for (const gate of [viewers, pushes]) gate.leadTo(Number(new URL(stack.outputs.liveUrl).port));
});
afterAll(() => cleanup.disposeAsync());

afterEach(() => {
  for (const gate of [viewers, pushes]) gate.open();
  expect(tabs.splice(0).flatMap(({ problems }) => problems)).toEqual([]);
});

/** Opens a person's tab and records the messages of its live connections. */
async function open(options: BrowserContextOptions = {}) {
  const tab = await openTab(browser, { userAgent, ...options });
  tabs.push(tab);
  tab.page.setDefaultTimeout(wait.timeout);
  const messages: ServerMessage[] = [];
  tab.page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => messages.push(JSON.parse(`${payload}`)));
  });
  return { ...tab, messages };
}

/** Makes the issuer ask who signs in, which it skips at a browser's first sign-in. */
async function askWhoSignsIn(page: Page): Promise<void> {
  let hasAsked = false;
  // A route with `times: 1` stops intercepting during the redirect, and sometimes that navigation hangs.
  await page.route(/\/auth\?/, (route) => {
    const prompt = hasAsked ? '' : '&prompt=login';
    hasAsked = true;
    return route.continue({ url: route.request().url() + prompt });
  });
}

async function signInAs(page: Page, name: 'Ada' | 'Grace', hash = ''): Promise<void> {
  await askWhoSignsIn(page);
  await page.goto(`${stack.outputs.api}/${hash}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Creates a link on the page and returns its code. */
async function createLink(page: Page): Promise<string> {
  const code = `code-${randomUUID().slice(0, 8)}`;
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Destination').fill('http://example.com/there');
  await page.getByLabel('Code (optional)').fill(code);
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: `/${code}` }).waitFor();
  return code;
}

/** Opens the view of Ada's new link and waits until it is live. */
async function watchNewLink(tab: Awaited<ReturnType<typeof open>>): Promise<string> {
  const code = await stack.createLink();
  await signInAs(tab.page, 'Ada', `#/links/${code}`);
  const watching = {
    type: 'watching',
    links: [{ code, clicks: 0, people: 0, bots: 0 }],
    refused: [],
  };
  await expect.poll(() => tab.messages, wait).toContainEqual(watching);
  await expect.poll(() => status(tab.page), wait).toBe('Live');
  await tab.page.getByText('No clicks yet').waitFor();
  return code;
}

/** Opens a link, sequentially, because a new instance on a busy machine can exceed its timeout. */
async function visit(code: string, times = 1): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    const open = async () => (await stack.openLink(code)).status;
    await expect.poll(open, wait).toBe(302);
  }
}

/** Records every total that the page shows until it is reloaded. */
async function noteTotals(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(`
    window.totals = [];
    new MutationObserver(() => totals.push(Number(document.querySelector('${total}').textContent)))
      .observe(document.querySelector('.total'), { subtree: true, characterData: true, childList: true });
  `);
  return async () => [...new Set(await page.evaluate<number[]>('totals'))];
}

const readTotal = async (page: Page) => Number(await page.locator(total).innerText());
const status = (page: Page) => page.locator('.live-status').innerText();

describe('an owner who has the page open', () => {
  test("sees a new link's visitor count once, without a reload", async () => {
    await using owner = await open();
    await using visitor = await open();
    await signInAs(owner.page, 'Ada');
    const code = await createLink(owner.page);
    const row = owner.page.getByRole('listitem').filter({ hasText: code });
    const watching = {
      type: 'watching',
      links: [{ code, clicks: 0, people: 0, bots: 0 }],
      refused: [],
    };
    await expect.poll(() => owner.messages, wait).toContainEqual(watching);
    const before = await readTotal(owner.page);
    const readTotals = await noteTotals(owner.page);

    await visitor.page.goto(`${stack.outputs.api}/${code}`);

    expect(await visitor.page.innerText('body')).toBe('You have arrived.');
    await row.getByText('1 by people · 0 by bots').waitFor();
    await row.getByText('1 click · 1 today').waitFor();
    await expect.poll(() => readTotal(owner.page), wait).toBe(before + 1);
    expect(await readTotals()).toEqual([before + 1]);
    const push = { type: 'counts', links: [expect.objectContaining({ code, clicks: 1 })] };
    expect(owner.messages).toContainEqual(push);
    const { breakdowns } = await stack.readStats(code);
    expect(breakdowns.visitor).toEqual([{ name: 'human', count: 1 }]);
  });

  test('sees the same click, sent twice, count once', async () => {
    await using owner = await open();
    const code = await watchNewLink(owner);
    const readTotals = await noteTotals(owner.page);
    const body = repeatedClick(code, randomUUID());

    await stack.send(body, body);

    await expect.poll(() => readTotal(owner.page), wait).toBe(1);
    await expect.poll(stack.countWaiting, wait).toBe(0);
    await visit(code);
    await expect.poll(() => readTotal(owner.page), wait).toBe(2);
    expect(await readTotals()).toEqual([1, 2]);
  });
});

test("users see only their own links and get no pushes of each other's", async () => {
  await using ada = await open();
  await using grace = await open();
  await signInAs(ada.page, 'Ada');
  await signInAs(grace.page, 'Grace');
  const [hers, other] = [await createLink(ada.page), await createLink(grace.page)];
  const codesIn = (page: Page) =>
    page
      .locator('.link-code')
      .allInnerTexts()
      .then((texts) => texts.map((text) => text.replace(/^.*\//s, '').trim()));

  await ada.page.reload();
  await grace.page.reload();

  await expect.poll(() => codesIn(ada.page), wait).toContain(hers);
  await expect.poll(() => codesIn(grace.page), wait).toEqual([other]);
  expect(await codesIn(ada.page)).not.toContain(other);

  await grace.page.goto(`${stack.outputs.api}/#/links/${hers}`);

  await grace.page.getByText('Link not found.').waitFor();
  expect(await grace.page.locator(total).count()).toBe(0);
  const refused = { type: 'watching', links: [], refused: [hers] };
  await expect.poll(() => grace.messages, wait).toContainEqual(refused);
  await grace.page.getByRole('link', { name: 'To your links' }).click();
  await grace.page.getByRole('link', { name: `/${other}` }).waitFor();

  await visit(hers);

  await ada.page.getByRole('listitem').filter({ hasText: hers }).getByText('1 today').waitFor();
  const counts = grace.messages.filter(({ type }) => type === 'counts');
  expect(JSON.stringify(counts)).not.toContain(hers);
});

describe('the page falls back to polling, says so and recovers', () => {
  test('when the live connection cannot be reached', async () => {
    await using owner = await open();
    const code = await watchNewLink(owner);
    const readTotals = await noteTotals(owner.page);

    viewers.close();
    await visit(code);

    await expect.poll(() => status(owner.page), wait).toBe('Behind. Refreshing every few seconds.');
    await expect.poll(() => readTotal(owner.page), wait).toBe(1);
    viewers.open();
    await expect.poll(() => status(owner.page), wait).toBe('Live');
    await visit(code);
    await expect.poll(() => readTotal(owner.page), wait).toBe(2);
    expect(await readTotals()).toEqual([1, 2]);
    const pushed = { type: 'counts', links: [expect.objectContaining({ code, clicks: 2 })] };
    await expect.poll(() => owner.messages, wait).toContainEqual(pushed);
  });

  test('when push-counts fails', async () => {
    await using owner = await open();
    await owner.page.clock.install();
    const code = await watchNewLink(owner);
    const readTotals = await noteTotals(owner.page);

    pushes.close();
    await visit(code);

    await expect.poll(async () => (await stack.readStats(code)).clicks, wait).toBe(1);
    // A page that believes it is live reads every 30 s.
    await owner.page.clock.fastForward('00:31');
    await expect.poll(() => readTotal(owner.page), wait).toBe(1);
    await expect.poll(() => status(owner.page), wait).toBe('Behind. Refreshing every few seconds.');
    expect(owner.messages.filter(({ type }) => type === 'counts')).toEqual([]);
    pushes.open();
    await visit(code);
    await expect.poll(() => status(owner.page), wait).toBe('Live');
    await expect.poll(() => readTotal(owner.page), wait).toBe(2);
    expect(await readTotals()).toEqual([1, 2]);
  });

  test('when watching gets no answer', async () => {
    await using owner = await open();
    const code = await stack.createLink();
    pushes.close();

    await signInAs(owner.page, 'Ada', `#/links/${code}`);

    await expect.poll(() => status(owner.page), wait).toBe('Behind. Refreshing every few seconds.');
    await visit(code);
    await expect.poll(() => readTotal(owner.page), wait).toBe(1);
    expect(owner.messages).toEqual([]);
    pushes.open();
    await visit(code);
    await expect.poll(() => status(owner.page), wait).toBe('Live');
    await expect.poll(() => readTotal(owner.page), wait).toBe(2);
  });
});

test('the page reconnects after its connection ends and misses no number', async () => {
  await using owner = await open();
  const code = await watchNewLink(owner);
  const readTotals = await noteTotals(owner.page);

  viewers.interrupt();
  await visit(code);

  await expect.poll(() => readTotal(owner.page), wait).toBe(1);
  await expect
    .poll(() => owner.messages.filter(({ type }) => type === 'watching'), wait)
    .toHaveLength(2);
  await visit(code);
  await expect.poll(() => readTotal(owner.page), wait).toBe(2);
  expect(await readTotals()).toEqual([1, 2]);
  await expect.poll(() => status(owner.page), wait).toBe('Live');
});

describe('a session', () => {
  test('uses each refresh token once, even if several requests need a new token', async () => {
    await using owner = await open();
    const code = await watchNewLink(owner);
    await visit(code);
    await expect.poll(() => readTotal(owner.page), wait).toBe(1);
    const renewals: string[] = [];
    const expired = new Set<string>();
    let latest = '';
    let refusals = 0;
    await owner.page.route(/\/stats\?/, (route, request) => {
      const { authorization = '' } = request.headers();
      latest = authorization;
      if (!expired.has(authorization)) return route.continue();
      refusals += 1;
      return route.fulfill({ status: 401, json: { message: 'Unauthorized' } });
    });
    await owner.page.route(/\/token$/, async (route, request) => {
      renewals.push(new URLSearchParams(request.postData() ?? '').get('refresh_token') ?? '');
      // Both requests of a click are refused before the issuer answers the first.
      await expect.poll(() => refusals, wait).toBeGreaterThanOrEqual(2 * expired.size);
      return route.continue();
    });
    const choose = (range: string) => owner.page.getByText(range, { exact: true }).click();
    await choose('7 days');

    for (const range of ['90 days', '30 days']) {
      await expect.poll(() => latest !== '' && !expired.has(latest), wait).toBe(true);
      expired.add(latest);
      await choose(range);
      await expect.poll(() => renewals.length, wait).toBeGreaterThanOrEqual(expired.size);
    }

    await visit(code);
    await expect.poll(() => readTotal(owner.page), wait).toBe(2);
    expect(renewals.filter(Boolean)).toEqual([...new Set(renewals)]);
    expect(await owner.page.locator('.notice').allInnerTexts()).toEqual([]);
  });

  test('that has ended keeps its numbers, asks for a new sign-in and returns to the same link', async () => {
    await using owner = await open();
    await owner.page.clock.install();
    const code = await watchNewLink(owner);
    await visit(code);
    await expect.poll(() => readTotal(owner.page), wait).toBe(1);
    const other = await owner.page.context().newPage();
    // As on another device, whose tabs the page doesn't hear of.
    await other.addInitScript(() => {
      BroadcastChannel.prototype.postMessage = () => undefined;
    });
    await other.goto(stack.outputs.api);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();

    await owner.page.clock.fastForward('02:00:00');

    await owner.page.getByText('These numbers are no longer updated.').waitFor();
    const refused: string[] = [];
    owner.page.on(
      'response',
      (response) => response.status() === 400 && refused.push(response.url()),
    );
    await owner.page.getByText('7 days').click();
    // The first request is the click's, so the page has its answer by the second.
    await expect.poll(() => refused.length, wait).toBeGreaterThan(1);
    const notices = await owner.page.locator('.notice strong').allInnerTexts();
    expect(notices).toEqual(['Your session has ended.']);
    expect(await readTotal(owner.page)).toBe(1);
    await owner.page.clock.setSystemTime(Date.now());
    await owner.page.getByRole('button', { name: 'Sign in again' }).click();
    await owner.page.getByRole('button', { name: 'Ada' }).click();
    await owner.page.getByRole('heading', { name: code }).waitFor();
    await visit(code);
    await expect.poll(() => readTotal(owner.page), wait).toBe(2);
  });
});
