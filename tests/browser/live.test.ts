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
  const text = await page.locator('.total .figure .hidden').innerText();
  return Number(text.replaceAll(',', ''));
}

const listOf = (page: Page, name: string) => page.getByRole('table', { name }).innerText();
const status = (page: Page) => page.locator('.live-status').innerText();

describe('a counted click', () => {
  test('updates the total, the day, the breakdowns and the share of people without a reload', async () => {
    await using tab = await openTab(browser);
    await watch(tab.page);
    const requests = service.api.requests.length;

    service.click('docs', 3, ['vh', 'dm', 'r01', 'cc']);

    await expect.poll(() => readTotal(tab.page)).toBe(18);
    const people = await tab.page.locator('.people').innerText();
    expect(people).toBe('Last 30 days: 18 clicks, 13 by people, 5 by bots (28%)');
    expect(await listOf(tab.page, 'Sources')).toContain('Google\t3\t17%');
    expect(await listOf(tab.page, 'Countries')).toContain('Germany\t3\t17%');
    expect(await listOf(tab.page, 'Devices')).toContain('Mobile\t3\t17%');
    expect(await listOf(tab.page, 'People and bots')).toContain('By people\t13\t72%');
    expect(await tab.page.locator('.adds-up').innerText()).toBe(
      'Each list adds up to 18, and so do the hours.',
    );
    const reads = service.api.requests.slice(requests).filter((call) => call.includes('/links'));
    expect(reads).toEqual([]);
  });

  test('without a known visitor is neither a person nor a bot', async () => {
    service.links.count('docs', 4, ['vu', 'du', 'ru', 'h09']);
    await using tab = await openTab(browser);
    await signIn(tab.page, service, '#/links/docs');

    await expect
      .poll(() => tab.page.locator('.people').innerText())
      .toBe('Last 30 days: 19 clicks, 10 by people, 5 by bots (26%), 4 unknown');

    expect(await listOf(tab.page, 'People and bots')).toContain('Unknown\t4');
    expect(await tab.page.locator('.reading').innerText()).toMatch(
      /: 14 clicks, 10 by people, 0 by bots, 4 unknown$/,
    );
    await tab.page.getByText('unknown', { exact: true }).waitFor();
  });

  test('updates only its own link in the list of links', async () => {
    service.links.add('other');
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    await expect.poll(() => service.live.watchedCodes()).toHaveLength(2);

    service.click('docs', 2);

    await expect
      .poll(() => tab.page.locator('.link-clicks .count').allInnerTexts())
      .toEqual(['0', '17']);
    expect(await tab.page.getByText('12 today').count()).toBe(2);
    expect(await readTotal(tab.page)).toBe(17);
  });

  test('on an earlier day makes the page read again, because the push has only that day', async () => {
    await using tab = await openTab(browser);
    await watch(tab.page);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

    service.links.count('docs', 4, ['vh', 'dt', 'rd', 'h08'], 1);
    service.live.send(await service.links.toPush('docs', yesterday));

    await tab.page.getByText('Each list adds up to 19').waitFor();
    await tab.page.getByText('Tablet').waitFor();
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
    new MutationObserver(() => seen.push(document.querySelector('.total .hidden').textContent))
      .observe(document.querySelector('.total'), { subtree: true, characterData: true, childList: true });
  `);

  for (const index of [1, 0, 2, 1, 0, 0]) {
    const push = pushes[index];
    if (push) service.live.send(push);
  }
  await expect.poll(() => readTotal(tab.page)).toBe(30);
  const seen: string[] = await tab.page.evaluate('seen');

  expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => a - b));
  expect(await tab.page.getByText('Each list adds up to 30').count()).toBe(1);
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

test('values that do not add up are marked, but only after a pending push could have arrived', async () => {
  await using tab = await openTab(browser);
  await watch(tab.page);
  const push = await service.links.toPush('docs');
  const days = push.days.map((day) => ({ ...day, count: day.count + 1 }));

  service.live.send({ ...push, clicks: 16, days });

  await expect.poll(() => readTotal(tab.page)).toBe(16);
  expect(await tab.page.getByText("don't add up").count()).toBe(0);
  await tab.page.getByText("The values don't add up to 16 clicks").waitFor();
});

test('if the service fails, the page keeps its numbers and offers to try again', async () => {
  await using tab = await openTab(browser);
  await watch(tab.page);
  service.api.failWith = 500;
  await tab.page.getByText('7 days').click();
  await tab.page.getByText("Your numbers couldn't be loaded.").waitFor();

  service.api.failWith = undefined;
  await tab.page.getByRole('button', { name: 'Try again' }).click();

  await expect
    .poll(() => tab.page.locator('.people').innerText())
    .toMatch(/^Last 7 days: 15 clicks/);
  expect(await readTotal(tab.page)).toBe(15);
});
