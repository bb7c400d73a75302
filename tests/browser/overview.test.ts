import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { findBarriers, measureOverflow } from '../helpers/browser-tab.ts';
import { isoDay } from '../helpers/items.ts';

useBrowserAndService();

const ago = (days: number) => isoDay(Date.now() - days * 86_400_000);

// People fell from 100 to 72, and bots rose from 0 to 84.
beforeEach(() => {
  service.links.add('spring', 'https://example.com/spring', 90);
  service.links.add('autumn', 'https://example.com/autumn', 90);
  service.links.update('spring', { tags: ['poster'] });
  service.links.count('spring', 60, ['vh', 'dm', 'r1', 'cc', 'utm'], 1);
  service.links.count('autumn', 12, ['vh', 'dd', 'rd', 'c2'], 7);
  service.links.count('autumn', 84, ['vb', 'do', 'rd', 'c2'], 3);
  service.links.count('spring', 100, ['vh', 'dm', 'r1', 'cc'], 8);
  service.links.count('spring', 1_000, ['vh', 'dm', 'r1', 'cc'], 0);
  service.links.countCampaigns('spring', { utm_campaign: { sale: 5, launch: 9 } }, 1);
  service.links.update('spring', { clicks: 1_160, vh: 1_160 });
});

const figures = (page: Page) => page.locator('.overview .figures').innerText();

test("last week's people are compared with the week before, with both numbers and both ranges", async () => {
  const page = await open();

  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByLabel('Range').selectOption('Last 7 days');

  await expect
    .poll(() => figures(page))
    .toBe('Clicks by people\n72\nClicks by bots\n84\nClicks\n156');
  const change = await page.locator('.change').innerText();
  expect(change).toMatch(
    /^−28% 72 clicks by people from .* \(7 days, UTC\), against 100 from .* \(7 days, UTC\)$/,
  );
  expect(await page.evaluate('location.hash')).toBe('#/overview?range=7d');
});

test('bots are left out, also after a reload, and a range of its own is in the address', async () => {
  const page = await open(`#/overview?from=${ago(8)}&to=${ago(3)}`);
  await expect.poll(() => figures(page)).toContain('Clicks by bots\n84');

  await page.getByLabel('Without bots').check();
  expect(await figures(page)).toBe('Clicks by people\n112');
  await page.reload();
  await expect.poll(() => figures(page)).toBe('Clicks by people\n112');
  await page.getByLabel('From', { exact: true }).fill(ago(7));

  await expect.poll(() => figures(page)).toBe('Clicks by people\n12');
  expect(await page.evaluate('location.hash')).toBe(`#/overview?from=${ago(7)}&to=${ago(3)}`);
});

test('a link and a tag have their own overview, and nothing of another range stays', async () => {
  const page = await open('#/overview?range=7d&tag=poster');
  await expect.poll(() => figures(page)).toContain('Clicks by people\n60');

  await page.getByRole('link', { name: 'Show all links' }).click();
  await page.getByRole('link', { name: 'autumn' }).click();
  await expect.poll(() => figures(page)).toContain('Clicks by people\n12');
  expect(await page.locator('h1').innerText()).toBe('Overview of autumn');

  const held = Promise.withResolvers<void>();
  await page.route('**/links/overview?**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByLabel('Range').selectOption('Last 90 days');
  await page.getByText('Adding up the clicks…').waitFor();
  expect(await page.locator('.figures, .change, .breakdowns').count()).toBe(0);
  held.resolve();
  await expect.poll(() => figures(page)).toContain('Clicks by people\n12');
});

test('the report has the campaigns, and the view is accessible, fits its window and prints', async () => {
  const page = await open('#/overview?range=7d');
  await page.getByRole('heading', { name: 'Countries' }).waitFor();

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Report as CSV' }).click();
  const download = await downloading;
  const stream = await download.createReadStream();
  const csv = (await stream.toArray()).join('');

  expect(download.suggestedFilename()).toBe(`all links ${ago(7)} to ${ago(1)}.csv`);
  const range = `${ago(7)},${ago(1)}`;
  expect(csv.split('\n')).toEqual(
    expect.arrayContaining([
      `total,all links,${range},156,72,84,`,
      `link,spring,${range},60,60,0,`,
      `utm_campaign,launch,${range},9,,,`,
    ]),
  );
  for (const [colorScheme, width] of [
    ['dark', 320],
    ['light', 1280],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => measureOverflow(page)).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
  }
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  expect(await page.locator('.overview .figures').isVisible()).toBe(true);
});
