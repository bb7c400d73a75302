import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../cli/loopback/http-server.ts';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { repeatedClick } from '../../local/real-messages.ts';
import { openTab, signIn } from '../helpers/browser-tab.ts';
import { startTestStack } from '../helpers/test-stack.ts';

const wait = { timeout: 150_000, interval: 100 };
// A headless browser's own agent would count as a bot.
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

const cleanup = new AsyncDisposableStack();
let browser: Browser;
let stack: Awaited<ReturnType<typeof startTestStack>>;

beforeAll(async () => {
  const destination = createServer((_request, response) => response.end('You have arrived.'));
  const { port, stop } = await listen(destination);
  cleanup.defer(stop);
  browser = await launchBrowser({ everyNameLeadsTo: port });
  cleanup.defer(() => browser.close());
  stack = await startTestStack();
  cleanup.defer(stack.stop);
});
afterAll(() => cleanup.disposeAsync());

const readTotal = async (page: Page) => Number(await page.locator('.total').innerText());

test("an owner who has the page open sees a new link's clicks count once, without a reload", async () => {
  const [owner, visitor] = [
    await openTab(browser, { userAgent }),
    await openTab(browser, { userAgent }),
  ];
  const { page } = owner;
  const received: string[] = [];
  page.setDefaultTimeout(wait.timeout);
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => received.push(`${payload}`));
  });
  await signIn(page, { url: `${stack.outputs.api}/` });
  const code = `code-${randomUUID().slice(0, 8)}`;
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Destination').fill('http://example.com/there');
  await page.getByLabel('Code (optional)').fill(code);
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('listitem').filter({ hasText: code });
  await expect.poll(() => received.join(), wait).toContain(code);
  // Every total that the page shows.
  await page.evaluate(`
    window.totals = [];
    new MutationObserver(() => totals.push(Number(document.querySelector('.total').textContent)))
      .observe(document.querySelector('.total'), { subtree: true, characterData: true, childList: true });
  `);

  await visitor.page.goto(`${stack.outputs.api}/${code}`);

  expect(await visitor.page.innerText('body')).toBe('You have arrived.');
  await row.getByText('1 by people · 0 by bots').waitFor();
  await row.getByText('1 click · 1 today').waitFor();
  const push = { type: 'counts', links: [expect.objectContaining({ code, clicks: 1 })] };
  expect(received.map((text) => JSON.parse(text))).toContainEqual(push);
  const { breakdowns } = await stack.readStats(code);
  expect(breakdowns.visitor).toEqual([{ name: 'human', count: 1 }]);

  const body = repeatedClick(code, randomUUID());
  await stack.send(body, body);
  await expect.poll(() => readTotal(page), wait).toBe(2);
  await expect.poll(stack.countWaiting, wait).toBe(0);
  expect((await stack.openLink(code)).status).toBe(302);
  await expect.poll(() => readTotal(page), wait).toBe(3);
  expect([...new Set(await page.evaluate<number[]>('totals'))]).toEqual([1, 2, 3]);
  expect([owner.problems, visitor.problems]).toEqual([[], []]);
});
