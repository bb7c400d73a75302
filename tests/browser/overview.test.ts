import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { open, openBlank, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { findBarriersOf, openSignedIn, readRanked } from '../helpers/browser-tab.ts';
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
  await using page = await open();

  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.getByLabel('Range').selectOption('Last 7 days');

  await expect
    .poll(() => figures(page))
    .toBe('Clicks by people\n72\nClicks by bots\n84\nClicks\n156');
  const change = page.locator('.change');
  await expect
    .poll(() => change.innerText())
    .toMatch(
      /^−28% 72 clicks by people from .* \(7 days, UTC\), against 100 from .* \(7 days, UTC\)$/,
    );
  expect(await page.evaluate('location.hash')).toBe('#/overview?range=7d');
});

test('an overview of its own address names the messages that need an operator, and then shows no change', async () => {
  service.api.backlog = { waiting: 0, deadLetters: 19 };
  await using page = await open('#/overview?range=7d');

  await page.getByText('Up to 9,500 clicks need an operator (19 messages)').waitFor();
  const change = page.locator('.change');
  expect(await change.innerText()).toMatch(/The change is known once all messages are counted\.$/);
  service.api.backlog = { waiting: 0, deadLetters: 0 };
  await expect.poll(() => change.innerText()).toContain('−28%');
});

test('bots are left out, also after a reload, and a range of its own is in the address', async () => {
  await using page = await open(`#/overview?from=${ago(8)}&to=${ago(3)}`);
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
  await using page = await open('#/overview?range=7d&tag=poster');
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

test('a country, a source, a device and a campaign each lead to their clicks, by people where these are known', async () => {
  await using page = await open('#/overview?range=7d');

  await page.getByRole('link', { name: 'Germany' }).click();

  await page.getByRole('heading', { name: 'Overview of all links, Country: Germany' }).waitFor();
  // Without bots, which have no country.
  await expect.poll(() => figures(page)).toBe('Clicks by people\n60');
  const change = page.locator('.change');
  expect(await change.innerText()).toMatch(/^−40% 60 clicks by people from .*, against 100 from /);
  const links = page.getByRole('table', { name: 'Links, by people' });
  expect(await links.getByRole('row').allInnerTexts()).toEqual([
    expect.anything(),
    expect.stringMatching(/^\s*spring\s+60\s+100%$/),
  ]);
  await page.getByText("can't be split further").waitFor();
  expect(await page.getByText('may be by people or by bots').count()).toBe(0);
  expect(await page.getByRole('heading', { name: /Countries|Sources/ }).count()).toBe(0);
  await page.reload();
  await page.getByRole('link', { name: 'Show all clicks' }).click();

  await page.getByRole('link', { name: 'launch' }).click();

  await page.getByRole('heading', { name: 'Overview of all links, Campaign: launch' }).waitFor();
  await expect.poll(() => figures(page)).toBe('Clicks, with bots\n9');
  await page.getByText('9 clicks may be by people or by bots').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'Mobile' }).click();
  await expect.poll(() => figures(page)).toContain('Clicks by people\n60');
  await page.goBack();
  await page.getByRole('link', { name: 'Direct' }).click();

  // 84 clicks by bots were counted before these had a value of their own.
  await expect.poll(() => figures(page)).toBe('Clicks, with bots\n96');
  await page.getByText('84 clicks may be by people or by bots').waitFor();
  expect(await change.innerText()).toMatch(/^96 clicks, with bots, from .*, against 0 from /);
  await page.getByRole('table', { name: 'Links, with bots' }).waitFor();
});

test('sources, countries and devices are by people, and say so if they are not', async () => {
  service.links.add('winter');
  service.links.count('winter', 30, ['vh', 'dm', 'r1', 'cc'], 1);
  service.links.count('winter', 40, ['vb', 'db', 'rb', 'cw'], 1);
  service.links.add('own');
  service.links.count('own', 5, ['vh', 'dd', 'rd', 'c2'], 1);
  service.links.count('own', 2, ['vu', 'du', 'ru', 'cu'], 1);
  service.links.count('own', 7, ['vb', 'db', 'rb', 'cw'], 1);
  await using page = await open('#/overview?range=7d&code=winter');

  expect(await readRanked(page, 'Sources, by people')).toEqual([['Google', '30']]);
  expect(await readRanked(page, 'Countries, by people')).toEqual([['Germany', '30']]);
  expect(await readRanked(page, 'Devices, by people')).toEqual([['Mobile', '30']]);
  expect(await page.getByText('bots were told apart').count()).toBe(0);

  await page.goto(`${service.url}#/overview?range=7d&code=own`);
  expect(await readRanked(page, 'Countries, without bots')).toEqual([
    ['United States', '5'],
    ['Unknown', '2'],
  ]);

  service.links.add('older');
  service.links.count('older', 84, ['vb', 'do', 'rd', 'c2'], 3);
  service.links.count('older', 90, ['vh', 'dm', 'r1', 'cc'], 2);
  service.links.count('older', 47, ['vb', 'db', 'rb', 'cw'], 1);
  await page.goto(`${service.url}#/overview?range=7d&code=older`);
  const note = page.getByText(
    'They include 84 clicks by bots, which were counted before bots were told apart.',
  );
  await note.waitFor();
  const all = [
    ['Germany', '90'],
    ['United States', '84'],
    ['Bots', '47'],
  ];
  expect(await readRanked(page, 'Countries, with bots')).toEqual(all);
  await page.getByRole('link', { name: 'Bots' }).first().click();
  await expect
    .poll(() => figures(page))
    .toBe('Clicks by people\n0\nClicks by bots\n47\nClicks\n47');
  await page.goBack();
  await page.getByLabel('Without bots').check();
  expect(await readRanked(page, 'Countries, with bots')).toEqual(all.toSpliced(2, 1));
});

test('what was read first is shown with the links that are missing, and without a change, until all are read', async () => {
  const isComplete = Promise.withResolvers<void>();
  await using page = await openBlank();
  await page.route('**/links/overview?**', async (route) => {
    if (!route.request().url().includes('partial=true')) {
      await isComplete.promise;
      return route.continue();
    }
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), oldLinks: 1 } });
  });
  await openSignedIn(page, service, '#/overview?range=7d');

  await page.getByText('Still reading the newest clicks of 1 link').waitFor();
  expect(await figures(page)).toContain('Clicks by people\n72');
  const change = page.locator('.change');
  expect(await change.innerText()).toMatch(/The change is known once all links are read\.$/);
  expect(await change.innerText()).not.toContain('%');
  isComplete.resolve();
  await expect.poll(() => change.innerText()).toContain('−28%');
  expect(await page.getByText('Still reading').count()).toBe(0);
});

test('a chosen comparison and range replace what was shown, although an earlier response is late', async () => {
  await using page = await openBlank({ timezoneId: 'Asia/Tokyo' });
  const isLate = Promise.withResolvers<void>();
  await page.route(/overview\?.*compare=year/, async (route) => {
    await isLate.promise;
    await route.continue();
  });
  await openSignedIn(page, service, `#/overview?from=${ago(7)}&to=${ago(1)}`);
  await expect.poll(() => figures(page)).toContain('Clicks by people\n72');

  await page.getByLabel('Compare with').selectOption('Year before');
  await page.getByLabel('To', { exact: true }).fill(ago(3));
  await page.getByLabel('Compare with').selectOption('Period before');
  const change = page.locator('.change');
  const expected = /^−88% 12 clicks by people .*\(5 days, UTC\), against 100 from/;
  await expect.poll(() => change.innerText()).toMatch(expected);
  const late = page.waitForResponse(/compare=year/);
  isLate.resolve();
  await late;
  await page.getByRole('heading', { name: 'Countries' }).waitFor();

  expect(await change.innerText()).toMatch(expected);
  expect(await page.evaluate('location.hash')).toBe(`#/overview?from=${ago(7)}&to=${ago(3)}`);
});

test('the report has the campaigns, and the view is accessible, fits its window and prints', async () => {
  await using page = await open('#/overview?range=7d');
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
  expect(await findBarriersOf(page, 'overview')).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
  expect(await page.locator('.overview .figures').isVisible()).toBe(true);
});

test('opened at its address, it knows whether clicks are missing, and says what its colours mean', async () => {
  service.api.backlog = { waiting: 0, deadLetters: 1 };
  await using page = await open('#/overview?range=7d');

  await page.getByText('Up to 500 clicks need an operator (1 message)').waitFor();
  expect(await page.locator('.change').innerText()).toMatch(
    /^72 .* once all messages are counted.$/,
  );
  expect(await page.locator('.legend').innerText()).toMatch(/by people\s+by bots\s+UTC days/);
  service.api.backlog = { waiting: 0, deadLetters: 0 };
  await expect.poll(() => page.locator('.change').innerText()).toMatch(/^−28% 72 clicks by people/);
});

test('a range without clicks offers one with today', async () => {
  await using page = await open(`#/overview?from=${ago(6)}&to=${ago(4)}`);

  await page.getByRole('link', { name: 'Show this year, with today' }).click();

  await expect.poll(() => figures(page)).toContain('Clicks by people\n1,');
});
