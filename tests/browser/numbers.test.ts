import { beforeEach, expect, test } from 'vitest';
import { dayMs } from '../../lib/days.ts';
import { open, openBlank, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { openSignedIn, readRanked } from '../helpers/browser-tab.ts';
import { campaignItems, isoDay } from '../helpers/items.ts';

useBrowserAndService();

beforeEach(() => {
  service.links.add('spring', 'https://example.com/spring', 90);
  for (let daysAgo = 1; daysAgo <= 7; daysAgo += 1) {
    service.links.count('spring', 10, ['vh', 'dm', 'r1', 'h09'], daysAgo);
    service.links.count('spring', 20, ['vh', 'dm', 'r1', 'h09'], daysAgo + 7);
  }
});

test('messages that need an operator are named with the most clicks they hold, and no change is shown', async () => {
  service.links.add('waiting');
  service.api.backlog = { waiting: 3, deadLetters: 19 };
  await using page = await open();
  const missing = page.getByText(
    'Up to 9,500 clicks need an operator (19 messages) · 3 messages pending',
  );

  await missing.waitFor();
  await page
    .locator('.link-row', { hasText: 'waiting' })
    .getByText('No clicks counted yet')
    .waitFor();
  await page.getByRole('link', { name: '/spring' }).click();
  await missing.waitFor();
  await page.getByText('7 days').click();
  await page.getByText('The change is known once all messages are counted').waitFor();
  expect(await page.locator('.change').innerText()).not.toContain('%');
  service.api.backlog = { waiting: 0, deadLetters: 0 };
  await page.locator('.change').getByText('%').waitFor();
});

test.each([
  ['Pacific/Auckland', '29 Nov 2026', '4 Apr 2027'],
  ['America/Los_Angeles', '28 Nov 2026', '3 Apr 2027'],
  ['Asia/Kathmandu', '28 Nov 2026', '3 Apr 2027'],
])(
  'in %s, a link is created on the owner’s own day, and today says UTC',
  async (timezoneId, own, change) => {
    service.links.update('spring', { createdAt: '2026-11-28T16:27:00.000Z' });
    // Auckland's clocks went back on this day.
    service.links.add('autumn');
    service.links.update('autumn', { createdAt: '2027-04-03T14:30:00.000Z' });
    await using page = await open('', { timezoneId });
    const dates = page.locator('.link-row time');

    await page.getByText('0 today (UTC)').first().waitFor();
    expect(await dates.allInnerTexts()).toEqual([
      expect.stringContaining(change),
      expect.stringContaining(own),
    ]);
  },
);

test.each([
  // At 14:00 UTC, the clocks went back from 3:00 to 2:00.
  ['Pacific/Auckland', '2027-04-03', ['13', '14'], ['02:00 (UTC+13)', '02:00 (UTC+12)']],
  // At 10:00 UTC, they went forward from 2:00 to 3:00.
  ['America/Los_Angeles', '2027-03-14', ['09', '10'], ['01:00', '03:00']],
  ['Asia/Kathmandu', '2027-04-04', ['13', '14'], ['18:45', '19:45']],
])('in %s, the hours of %s are each told apart', async (timezoneId, date, hours, names) => {
  const [first = '', second = ''] = hours;
  const nowMs = Date.parse(`${date}T16:00:00Z`);
  const daysAgo = Math.floor(Date.now() / dayMs) - Math.floor(nowMs / dayMs);
  service.links.count('spring', 1_001, ['vh', `h${first}`], daysAgo);
  service.links.count('spring', 1_002, ['vh', `h${second}`], daysAgo);
  await using page = await openBlank({ timezoneId });
  await page.clock.install({ time: nowMs });
  await openSignedIn(page, service, '#/links/spring?range=2d');
  await page.getByText('View as table').click();

  const rows = page.locator('.numbers tbody tr').filter({ hasText: '1,00' });
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.getByRole('rowheader').allInnerTexts()).toEqual([
    expect.stringContaining(`, ${names[1]}`),
    expect.stringContaining(`, ${names[0]}`),
  ]);
  expect(await rows.getByRole('cell').allInnerTexts()).toEqual(['1,002', '1,001']);
});

test('at midnight UTC, today and the range of an overview move on', async () => {
  const midnight = Math.ceil(Date.now() / dayMs) * dayMs;
  service.links.count('spring', 4, ['vh', 'dm', 'r1', 'h09']);
  await using page = await openBlank({ timezoneId: 'Pacific/Auckland' });
  await page.clock.install({ time: midnight - 20_000 });
  await openSignedIn(page, service);
  await page.getByText('4 today (UTC)').first().waitFor();

  await page.clock.fastForward(40_000);

  await page.getByText('0 today (UTC)').first().waitFor();
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  const last = new Date(midnight - 1).getUTCDate();
  await page
    .getByText(new RegExp(` to ${last} \\w+ \\d+ \\(30 days, UTC\\)`))
    .first()
    .waitFor();
});

test('without bots, the list and a link show clicks by people, or say that bots are among them', async () => {
  service.links.count('spring', 3, ['vh', 'dm', 'r1', 'h09']);
  service.links.count('spring', 500, ['vb', 'do', 'rd', 'h09']);
  service.links.add('bots');
  service.links.count('bots', 400, ['vb', 'do', 'rd', 'h09']);
  service.links.add('people');
  service.links.count('people', 1, ['vh', 'do', 'rd', 'h09']);
  await using page = await open();
  const codes = page.locator('.short-code');
  const total = page.locator('.totals p').first();
  await expect
    .poll(() => total.innerText())
    .toMatch(/^1,114 clicks counted on 3 links · 904 today/);
  await page.getByLabel('Sort by').selectOption('Clicks');
  await expect.poll(() => codes.allInnerTexts()).toEqual(['spring', 'bots', 'people']);

  await page.getByLabel('Without bots').check();

  await expect
    .poll(() => total.innerText())
    .toMatch(/^214 clicks by people counted on 3 links · 4 today/);
  expect(await codes.allInnerTexts()).toEqual(['spring', 'people', 'bots']);
  await page.reload();
  await page.getByRole('link', { name: '/spring' }).click();
  await page.getByText('clicks in total, with bots').waitFor();
  await page.getByRole('heading', { name: 'Sources, with bots' }).waitFor();
  await page.getByText('2 days').click();
  await page.getByRole('heading', { name: 'Clicks by hour, with bots' }).waitFor();
  await page.getByLabel('Without bots').uncheck();
  await page.getByRole('heading', { name: 'Clicks by hour', exact: true }).waitFor();
});

test('without bots, a link whose bots are told apart has sources, countries, devices and campaigns without them', async () => {
  service.links.add('told');
  const campaigns = { utm_source: { mail: 24 }, utm_medium: { poster: 1 } };
  const [counters, ...values] = campaignItems('told', isoDay(), campaigns);
  await service.links.put({ ...counters, S0: 5, ap: 24 }, ...values);
  service.links.count('told', 6, ['vh', 'dm', 'r1', 'h09', 'cc', 'no', 'utm']);
  service.links.count('told', 4, ['vh', 'dd', 'rd', 'h09', 'c2', 'no']);
  service.links.count('told', 20, ['vb', 'db', 'rb', 'h09', 'cw', 'nh']);
  await using page = await open('#/links/told');
  const today = page.locator('.numbers tbody tr').first().getByRole('cell');
  const people = [
    ['Google', '6'],
    ['Direct', '4'],
  ];
  expect(await readRanked(page, 'Sources')).toEqual([['Bots', '20'], ...people]);
  await page.getByRole('button', { name: 'Google' }).click();
  await page.getByText('View as table').first().click();
  await expect.poll(() => today.allInnerTexts()).toEqual(['6', '24', '30']);

  await page.getByLabel('Without bots').check();

  expect(await readRanked(page, 'Sources')).toEqual(people);
  await page.getByRole('table', { name: 'Countries', exact: true }).waitFor();
  await page.getByRole('table', { name: 'Networks, with bots' }).waitFor();
  expect(await readRanked(page, 'Campaign sources')).toEqual([['mail', '5']]);
  await page.getByRole('heading', { name: 'Clicks by day', exact: true }).waitFor();
  expect(await today.allInnerTexts()).toEqual(['6', '4', '10']);
});

test('nothing of the old range remains once another one is chosen', async () => {
  await using page = await open('#/links/spring?range=7d');
  const figures = page.locator('.figures');
  await figures.getByText('60', { exact: true }).first().waitFor();
  const { promise: isLate, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/\/stats\?/, async (route) => {
    await isLate;
    await route.continue();
  });

  await page.getByText('30 days').click();

  await expect.poll(() => figures.getAttribute('aria-busy')).toBe('true');
  expect(await figures.innerText()).not.toMatch(/\d/);
  expect(await page.locator('.bar').count()).toBe(0);
  answer();
  await figures.getByText('210', { exact: true }).first().waitFor();
  expect(await figures.getAttribute('aria-busy')).toBe('false');
});
