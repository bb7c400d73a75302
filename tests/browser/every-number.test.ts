import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { formatCount, formatFullDay } from '../../dashboard/format.ts';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { readRanked } from '../helpers/browser-tab.ts';
import {
  addUp,
  ago,
  divideDaysAgo,
  isGerman,
  makeManyLinks,
  type Sent,
} from '../helpers/many-links.ts';

useBrowserAndService();

const { items, sent } = makeManyLinks('ada', 500);
const within = (from: number, to: number) =>
  sent.filter(({ daysAgo }) => daysAgo <= from && daysAgo >= to);
const last30Days = within(30, 1);

/** Sums by a name, the highest first. */
function rank(rows: readonly Sent[], nameOf: (row: Sent) => string, of: 'clicks' | 'people') {
  const groups = Object.entries(Object.groupBy(rows, nameOf));
  const sums = groups.map(([name, group = []]) => ({ name, count: addUp(group)[of] }));
  return sums.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
}

const asTexts = (ranked: ReturnType<typeof rank>) =>
  ranked.map(({ name, count }) => [name, formatCount(count)]);

/** The numbers of each bar, which the chart says when it's pointed at. */
async function readBars(page: Page, bars: number): Promise<string[]> {
  const chart = page.getByRole('img', { name: 'clicks from' });
  await chart.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, height = 0 } = (await chart.boundingBox()) ?? {};
  const readings: string[] = [];
  for (const bar of (await page.locator('.bar').all()).slice(0, bars)) {
    const box = await bar
      .locator('.first')
      .evaluate((element) => element.getBoundingClientRect().x);
    await page.mouse.move(Math.max(x, box) + 2, y + height / 2);
    readings.push(await page.locator('.reading').innerText());
  }
  return readings;
}

function describeDay(daysAgo: number, rows: readonly Sent[]): string {
  const { clicks, people, bots } = addUp(rows.filter((row) => row.daysAgo === daysAgo));
  const parts = [
    `${formatCount(clicks)} ${clicks === 1 ? 'click' : 'clicks'}`,
    `${formatCount(people)} by people`,
    `${formatCount(bots)} by bots`,
    `${formatCount(clicks - people - bots)} unknown`,
  ];
  return `${formatFullDay(ago(daysAgo))}: ${parts.join(', ')}`;
}

const figuresOf = (page: Page) => page.locator('.figures').innerText();

function describeFigures(rows: readonly Sent[]): string {
  const { clicks, people, bots } = addUp(rows);
  const unknown = formatCount(clicks - people - bots);
  const told = `Clicks by people\n${formatCount(people)}\nClicks by bots\n${formatCount(bots)}`;
  return `${told}\nClicks\n${formatCount(clicks)}\nBy people or bots\n${unknown}`;
}

const withoutVisitors = (text: string) => text.replace(/≈ Visitors\n[\d,]+\n/, '');

async function compareList(page: Page) {
  const total = page.locator('.totals p').first();
  const { clicks } = addUp(sent);
  const today = formatCount(addUp(within(0, 0)).clicks);
  await expect
    .poll(() => total.innerText())
    .toMatch(`${formatCount(clicks)} clicks counted on 500 links · ${today} today`);

  for (let shown = 100; shown <= 500; shown += 50) {
    await page.getByRole('button', { name: /^Show \d+ of/ }).click();
  }
  const rows = page.locator('li.link-row');
  await expect.poll(() => rows.count()).toBe(500);
  const texts = await rows.evaluateAll((elements) =>
    elements.map((element) => {
      const read = (selector: string) => element.querySelector(selector)?.textContent ?? '';
      const numbers = read('.link-numbers').match(/[\d,]+/g);
      return [read('.short-code'), ...(numbers ?? [])];
    }),
  );
  const byCode = Object.groupBy(sent, ({ code }) => code);
  const expected = Object.entries(byCode).map(([code, ofLink = []]) => {
    const { people, bots, clicks } = addUp(ofLink);
    const unknown = clicks - people - bots;
    const ofToday = addUp(ofLink.filter(({ daysAgo }) => daysAgo === 0)).clicks;
    const shown = [people, bots, clicks, ofToday, ...(unknown > 0 ? [unknown] : [])];
    return [code, ...shown.map(formatCount)];
  });
  const byName = ([a = '']: string[], [b = '']: string[]) => (a < b ? -1 : 1);
  expect(texts.toSorted(byName)).toEqual(expected.toSorted(byName));
}

async function compareOverview(page: Page) {
  await page.goto(`${service.url}#/overview`);
  await page.getByRole('heading', { name: 'Countries' }).waitFor({ timeout: 60_000 });

  expect(withoutVisitors(await figuresOf(page))).toBe(describeFigures(last30Days));
  const people = formatCount(addUp(last30Days).people);
  const before = formatCount(addUp(within(60, 31)).people);
  expect(await page.locator('.change').first().innerText()).toMatch(
    new RegExp(`${people} clicks by people from .*, against ${before} from`),
  );
  const days = Array.from({ length: 30 }, (_, index) => 30 - index);
  expect(await readBars(page, 30)).toEqual(days.map((day) => describeDay(day, last30Days)));
  const links = rank(last30Days, ({ code }) => code, 'people');
  const byName = ([a = '']: (string | undefined)[], [b = '']: (string | undefined)[]) =>
    a < b ? -1 : 1;
  const shownLinks = await readRanked(page, 'Links, by people');
  expect(shownLinks.toSorted(byName)).toEqual(asTexts(links).toSorted(byName));
  // Some producers don't say whether a click is by a person or by a bot.
  await compareBreakdowns(page, last30Days, ', without bots');

  const tagged = last30Days.filter(({ isTagged }) => isTagged);
  await page.goto(`${service.url}#/overview?tag=spring`);
  await expect
    .poll(async () => withoutVisitors(await figuresOf(page)))
    .toBe(describeFigures(tagged));
  expect(await readBars(page, 30)).toEqual(days.map((day) => describeDay(day, tagged)));

  await page.goto(`${service.url}#/overview?filter=country:DE`);
  const german = last30Days.filter(({ code }) => isGerman(code));
  const shown = formatCount(addUp(german).people);
  await expect.poll(() => figuresOf(page), { timeout: 30_000 }).toBe(`Clicks by people\n${shown}`);

  const earlier = within(45, 0).filter(({ isTagged }) => isTagged);
  await page.goto(`${service.url}#/overview?tag=spring&from=${ago(45)}&to=${ago(0)}&compare=none`);
  await expect
    .poll(async () => withoutVisitors(await figuresOf(page)))
    .toBe(describeFigures(earlier));
  await compareBreakdowns(page, earlier, ', with bots');
  const undivided = formatCount(addUp(earlier).bots - dividedBots(earlier));
  await page.getByText(`They include ${undivided} clicks by bots, which were`).waitFor();

  await page.goto(`${service.url}#/overview?code=link-10`);
  const ofLink = last30Days.filter(({ code }) => code === 'link-10');
  await compareBreakdowns(page, ofLink, ', by people');
}

const dividedBots = (rows: readonly Sent[]) =>
  addUp(rows.filter(({ daysAgo }) => daysAgo <= divideDaysAgo)).bots;

/** The lists whose titles end with `suffix`. Bots are a row of them if it says so. */
async function compareBreakdowns(page: Page, rows: readonly Sent[], suffix: string) {
  const bots = suffix === ', with bots' ? [{ name: 'Bots', count: dividedBots(rows) }] : [];
  const countOthers = (group: readonly Sent[]) => addUp(group).clicks - dividedBots(group);
  const listOf = (others: { name: string; count: number }[]) =>
    asTexts(
      [...others, ...bots].sort((a, b) => b.count - a.count).filter(({ count }) => count > 0),
    );
  const german = countOthers(rows.filter(({ code }) => isGerman(code)));
  const count = countOthers(rows);
  expect(await readRanked(page, `Countries${suffix}`)).toEqual(
    listOf([
      { name: 'Germany', count: german },
      { name: 'United States', count: count - german },
    ]),
  );
  expect(await readRanked(page, `Sources${suffix}`)).toEqual(listOf([{ name: 'Direct', count }]));
  expect(await readRanked(page, `Devices${suffix}`)).toEqual(listOf([{ name: 'Mobile', count }]));
}

async function compareLink(page: Page) {
  const ofLink = sent.filter(({ code }) => code === 'link-7');
  await page.goto(`${service.url}#/links/link-7?range=90d`);
  const { clicks, people, bots } = addUp(ofLink);
  const unknown = clicks - people - bots;
  await expect
    .poll(() => figuresOf(page))
    .toBe(
      `Clicks\n${clicks}\nClicks by people\n${people}\nClicks by bots\n${bots}\nUnknown\n${unknown}`,
    );
  expect(await page.locator('.link-facts').innerText()).toContain(`${clicks} clicks in total`);
  await page.getByText('View as table').first().click();
  const rows = await page.locator('.numbers tbody tr').allInnerTexts();
  const days = Array.from({ length: 90 }, (_, daysAgo) => {
    const sums = addUp(ofLink.filter((row) => row.daysAgo === daysAgo));
    const { clicks, people, bots } = sums;
    return [formatFullDay(ago(daysAgo)), people, bots, clicks - people - bots, clicks].join('\t');
  });
  expect(rows).toEqual(days);
  expect(await readRanked(page, 'Countries')).toEqual([
    ['United States', `${clicks - dividedBots(ofLink)}`],
    ['Bots', `${dividedBots(ofLink)}`],
  ]);
}

test('every number of 500 links over 60 days is what was sent: on the list, in overviews and on a link', async () => {
  await service.links.put(...items);
  await using page = await open();

  await compareList(page);
  await compareOverview(page);
  await compareLink(page);
});
