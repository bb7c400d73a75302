import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { browser, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { openTab, signIn } from '../helpers/browser-tab.ts';

useBrowserAndService();

beforeEach(() => {
  service.links.add('docs');
  service.links.count('docs', 10, ['vh', 'dd', 'rd', 'h07']);
  service.links.count('docs', 5, ['vb', 'do', 'rd', 'h08'], 1);
});

/** Opens the link's view and waits until it is live. */
async function watch(page: Page): Promise<void> {
  await signIn(page, service, '#/links/docs');
  await expect.poll(() => service.live.watchedCodes()).toEqual(['docs']);
  await expect.poll(() => readTotal(page)).toBe(15);
}

async function readTotal(page: Page): Promise<number> {
  const text = await page.locator('.total').innerText();
  return Number(text.replaceAll(',', ''));
}

const figuresOf = async (page: Page) =>
  (await page.locator('.figures > div > *').allInnerTexts()).map((text) => text.trim());
const listOf = (page: Page, name: string) => page.getByRole('table', { name }).innerText();
const status = (page: Page) => page.locator('.live-status').innerText();

describe('a counted click', () => {
  test('updates the total, the day, the breakdowns and the share of people without a reload', async () => {
    await using tab = await openTab(browser);
    await watch(tab.page);
    const requests = service.api.requests.length;

    service.click('docs', 3, ['vh', 'dm', 'r01', 'cc']);

    await expect.poll(() => readTotal(tab.page)).toBe(18);
    await expect
      .poll(() => figuresOf(tab.page))
      .toEqual([
        ...['Clicks', '18', 'Clicks by people', '13', 'Clicks by bots', '5'],
        ...['Against the 30 days before', '–'],
      ]);
    expect(await listOf(tab.page, 'Sources')).toContain('Google\t3\t17%');
    expect(await listOf(tab.page, 'Countries')).toContain('Germany\t3\t17%');
    expect(await listOf(tab.page, 'Devices')).toContain('Mobile\t3\t17%');
    const reads = service.api.requests.slice(requests).filter((call) => call.includes('/links'));
    expect(reads).toEqual([]);
  });

  test('without a known visitor is neither a person nor a bot', async () => {
    service.links.count('docs', 4, ['vu', 'du', 'ru', 'h09']);
    await using tab = await openTab(browser);
    await signIn(tab.page, service, '#/links/docs');

    await expect
      .poll(() => figuresOf(tab.page))
      .toEqual([
        ...['Clicks', '19', 'Clicks by people', '10', 'Clicks by bots', '5'],
        ...['Unknown', '4', 'Against the 30 days before', '–'],
      ]);
    expect(await tab.page.locator('.reading').innerText()).toMatch(
      /: 14 clicks, 10 by people, 0 by bots, 4 unknown$/,
    );
    await tab.page.locator('.legend').getByText('unknown').waitFor();
  });

  test('on an earlier day makes the page read again, because the push has only that day', async () => {
    await using tab = await openTab(browser);
    await watch(tab.page);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

    service.links.count('docs', 4, ['vh', 'dt', 'rd', 'h08'], 1);
    service.live.send(await service.links.toPush('docs', yesterday));

    await tab.page.getByText('Tablet').waitFor();
    await expect.poll(() => readTotal(tab.page)).toBe(19);
  });
});

test('numbers never go down, whatever the order of the pushes', async () => {
  await using tab = await openTab(browser);
  await watch(tab.page);
  const pushes: object[] = [];
  for (let time = 0; time < 3; time += 1) {
    service.links.count('docs', 5, ['vh', 'dd', 'rd', 'h07']);
    pushes.push(await service.links.toPush('docs'));
  }
  await tab.page.evaluate(`
    window.seen = [];
    new MutationObserver(() => seen.push(document.querySelector('.total').textContent))
      .observe(document.querySelector('.total'), { subtree: true, characterData: true, childList: true });
  `);

  for (const index of [1, 0, 2, 1, 0, 0]) {
    const push = pushes[index];
    if (push) service.live.send(push);
  }
  await expect.poll(() => readTotal(tab.page)).toBe(30);
  const seen: string[] = await tab.page.evaluate('seen');

  expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => a - b));
});

test('while the browser is offline, the page says so, and later it catches up', async () => {
  await using tab = await openTab(browser);
  await watch(tab.page);

  await tab.page.context().setOffline(true);
  await expect.poll(() => status(tab.page)).toMatch(/^Offline/);
  service.live.disconnect();
  service.links.count('docs', 2, ['vh', 'dd', 'rd', 'h07']);
  await tab.page.context().setOffline(false);

  await expect.poll(() => readTotal(tab.page), { timeout: 20_000 }).toBe(17);
  await expect.poll(() => status(tab.page), { timeout: 20_000 }).toBe('Live');
});

test('clicks are compared with those of the period before, and those of a value with all', async () => {
  service.links.add('spring', 'https://example.com/', 90);
  service.links.count('spring', 6, ['vh', 'dd', 'rd', 'h07', 'cc'], 1);
  service.links.count('spring', 4, ['vh', 'dd', 'rd', 'h07', 'c0'], 2);
  service.links.count('spring', 8, ['vh', 'dd', 'rd', 'h07', 'c0'], 8);
  service.links.count('spring', 100, ['vh', 'dd', 'rd', 'h07'], 7);
  await using tab = await openTab(browser);
  const { page } = tab;
  const reading = page.locator('.reading');

  // Today isn't over, so the seventh day before isn't compared either.
  await signIn(page, service, '#/links/spring?range=7d');
  await expect.poll(() => figuresOf(page)).toContain('+25%');
  await page.getByRole('button', { name: 'Germany' }).click();
  await expect.poll(() => reading.innerText()).toMatch(/: 0 clicks, 0 Germany, 0 others$/);
  service.click('spring', 2, ['vh', 'dd', 'rd', 'cc']);
  await expect.poll(() => reading.innerText()).toMatch(/: 2 clicks, 2 Germany, 0 others$/);
  await page.getByText('View as table').click();
  const rows = await page.locator('.numbers tbody tr').allInnerTexts();
  expect(rows.slice(0, 3).map((row) => row.split('\t').slice(1))).toEqual([
    ['2', '0', '2'],
    ['6', '0', '6'],
    ['0', '4', '4'],
  ]);

  await page.getByRole('button', { name: 'Germany' }).click();
  await expect.poll(() => reading.innerText()).toMatch(/: 2 clicks, 2 by people, 0 by bots$/);
});

test('if the service fails, the page keeps its numbers and offers to try again', async () => {
  await using tab = await openTab(browser);
  await watch(tab.page);
  service.api.failWith = 500;
  await tab.page.getByText('7 days').click();
  await tab.page.getByText("Your numbers couldn't be loaded.").waitFor();

  service.api.failWith = undefined;
  await tab.page.getByRole('button', { name: 'Try again' }).click();

  await tab.page.getByText('Against the 7 days before').waitFor();
  expect(await readTotal(tab.page)).toBe(15);
});
