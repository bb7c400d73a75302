import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { open, openBlank, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { signIn } from '../helpers/browser-tab.ts';

useBrowserAndService();

beforeEach(() => {
  service.links.add('docs');
  service.links.count('docs', 10, ['vh', 'dd', 'rd', 'h07']);
  service.links.count('docs', 5, ['vb', 'do', 'rd', 'h08'], 1);
});

/** Opens the link's view and waits until it is live. */
async function watch() {
  const page = await open('#/links/docs');
  await expect.poll(() => service.live.watchedCodes()).toEqual(['docs']);
  await expect.poll(() => readTotal(page)).toBe(15);
  return page;
}

const readTotal = async (page: Page) => Number(await page.locator('.total').innerText());
const figuresOf = async (page: Page) =>
  (await page.locator('.figures > div > *').allInnerTexts()).map((text) => text.trim());
const listOf = async (page: Page, name: string) =>
  (await page.getByRole('table', { name }).innerText()).replaceAll('\n\t', '\t');
const status = (page: Page) => page.locator('.live-status').innerText();

describe('a counted click', () => {
  test('updates the total, the day, the breakdowns and the share of people without a reload', async () => {
    await using page = await watch();
    const requests = service.api.requests.length;

    service.click('docs', 3, ['vh', 'dm', 'r01', 'cc']);
    service.click('docs', 4, ['vu', 'du', 'ru']);

    await expect.poll(() => readTotal(page)).toBe(22);
    await expect
      .poll(() => figuresOf(page))
      .toEqual([
        ...['Clicks', '22', 'Clicks by people', '13', 'Clicks by bots', '5'],
        ...['Unknown', '4', 'Against the 30 days before', '–'],
      ]);
    expect(await listOf(page, 'Sources')).toContain('Google\t3\t14%');
    expect(await listOf(page, 'Countries')).toContain('Germany\t3\t14%');
    expect(await listOf(page, 'Devices')).toContain('Mobile\t3\t14%');
    expect(await page.locator('.reading').innerText()).toMatch(
      /: 17 clicks, 13 by people, 0 by bots, 4 unknown$/,
    );
    const reads = service.api.requests.slice(requests).filter((call) => call.includes('/links'));
    expect(reads).toEqual([]);
  });

  test('on an earlier day makes the page read again, because the push has only that day', async () => {
    await using page = await watch();

    service.click('docs', 4, ['vh', 'dt', 'rd'], 1);

    await page.getByText('Tablet').waitFor();
    await expect.poll(() => readTotal(page)).toBe(19);
  });
});

test('while the browser is offline, the page says so, and later it catches up', async () => {
  await using page = await watch();

  await page.context().setOffline(true);
  await expect.poll(() => status(page)).toMatch(/^Offline/);
  service.live.disconnect();
  service.links.count('docs', 2, ['vh', 'dd', 'rd', 'h07']);
  await page.context().setOffline(false);

  await expect.poll(() => readTotal(page)).toBe(17);
  await expect.poll(() => status(page)).toBe('Live');
});

test('clicks are compared with those of the period before, and those of a value with all', async () => {
  service.links.add('spring', 'https://example.com/', 90);
  for (const [clicks, daysAgo, country] of [
    ...([
      [6, 1, 'cc'],
      [4, 2, 'c0'],
      [8, 8, 'c0'],
    ] as const),
    // Today isn't over, so the seventh day before isn't compared either.
    [100, 7, 'c0'],
  ] as const) {
    service.links.count('spring', clicks, ['vh', 'dd', 'rd', 'h07', country], daysAgo);
  }
  await using page = await open('#/links/spring?range=7d');
  const reading = () => page.locator('.reading').innerText();

  await expect.poll(() => figuresOf(page)).toContain('+25%');
  await page.getByRole('button', { name: 'Germany' }).click();
  await expect.poll(reading).toMatch(/: 0 clicks, 0 Germany, 0 others$/);
  service.click('spring', 2, ['vh', 'dd', 'rd', 'cc']);
  await expect.poll(reading).toMatch(/: 2 clicks, 2 Germany, 0 others$/);
  await page.getByText('View as table').click();
  const rows = await page.locator('.numbers tbody tr').allInnerTexts();
  expect(rows.slice(0, 3).map((row) => row.split('\t').slice(1))).toEqual([
    ['2', '0', '2'],
    ['6', '0', '6'],
    ['0', '4', '4'],
  ]);

  await page.getByRole('button', { name: 'Germany' }).click();
  await expect.poll(reading).toMatch(/: 2 clicks, 2 by people, 0 by bots$/);
});

test('without pushes, the page falls back to polling, says so and recovers', async () => {
  service.live.isDeaf = true;
  await using page = await openBlank();
  await page.clock.install();
  await signIn(page, service, '#/links/docs');
  const sees = async (text: string, clicks: number) => {
    await expect.poll(() => status(page)).toBe(text);
    await expect.poll(() => readTotal(page)).toBe(clicks);
  };
  const behind = 'Behind. Refreshing every few seconds.';

  // A request to watch gets no answer.
  service.click('docs');
  await sees(behind, 16);
  service.live.isDeaf = false;
  service.click('docs');
  await sees('Live', 17);

  // The connection can't be reached.
  service.live.isDown = true;
  service.live.disconnect();
  service.click('docs');
  await sees(behind, 18);
  service.live.isDown = false;
  await sees('Live', 18);

  // A page that believes it is live reads every 30 s.
  service.live.isDeaf = true;
  service.click('docs');
  await page.clock.fastForward('00:31');
  await sees(behind, 19);
  service.live.isDeaf = false;
  service.click('docs');
  await sees('Live', 20);
});
