import { expect, test } from 'vitest';
import { link } from '../helpers/items.ts';
import { type PageService, startPageService } from '../helpers/page-service.ts';
import { type BrowserEngine, browserEngines } from './browsers.ts';
import { describeOwner } from './owner.ts';

type Owner = ReturnType<typeof describeOwner>;

const menu = 'Import, restore and more';
const rowCount = 300;

/** What owners do most, with the number of presses that it takes from the list. */
const tasks: [name: string, presses: number, run: (owner: Owner) => Promise<unknown>][] = [
  [
    'create a link',
    3,
    async ({ press, fill, see }) => {
      await press('New link');
      await fill('Destination', 'https://example.com/new');
      await press('Create link');
      await see('Your link is ready');
      await press('Done');
    },
  ],
  [
    'see that a code is taken, and choose another',
    5,
    async ({ press, fill, see }) => {
      await press('New link');
      await fill('Destination', 'https://example.com/taken');
      await fill('Code', 'spring');
      await press('Create link');
      await see('is taken');
      await fill('Code', 'spring-2');
      await press('Create link');
      await see('Your link is ready');
      await press('Done');
    },
  ],
  [
    'find one of 500 links by words of its title',
    1,
    async ({ fill, see, evaluate }) => {
      await fill('Search', 'q4 poster');
      await see('1 of 504 links found.');
      await see('print-shop');
      await expect.poll(() => evaluate('location.hash')).toBe('#/?q=q4+poster');
    },
  ],
  [
    "compare a week's people with the week before",
    3,
    async ({ press, choose, see }) => {
      await press('Overview');
      await choose('Range', 'Last 7 days');
      await see('−28%');
      await see('72 clicks by people');
    },
  ],
  [
    'see the best campaign',
    1,
    async ({ press, evaluate }) => {
      await press('Overview');
      const best = `[...document.querySelectorAll('h2')]
        .find((heading) => heading.innerText.startsWith('Campaigns,'))
        ?.closest('.panel').querySelector('a').innerText`;
      await expect.poll(() => evaluate(best)).toBe('launch');
    },
  ],
  [
    'mend a destination',
    4,
    async ({ press, fill, see }) => {
      await fill('Search', 'autumn');
      await press('More actions for autumn');
      await press('Edit');
      await fill('Destination', 'https://example.com/mended');
      await press('Save');
      await see('Saved.');
    },
  ],
  [
    'get a QR code',
    4,
    async ({ press, fill, see, evaluate }) => {
      await fill('Search', 'autumn');
      await press('More actions for autumn');
      await press('QR code');
      await see('Save SVG');
      expect(await evaluate('document.querySelector(".qr path").getBBox().width')).toBeGreaterThan(
        20,
      );
      await press('Close');
    },
  ],
  [
    'delete a link, and restore it',
    5,
    async ({ press, fill, see }) => {
      await fill('Search', 'autumn');
      await press('More actions for autumn');
      await press('Delete');
      await press('Delete');
      await see('autumn is deleted.');
      await press('Undo');
      await see('1 of 504 links found.');
    },
  ],
  [
    'import 300 links, of which five are wrong',
    4,
    async ({ press, drop, see }) => {
      await press(menu);
      await press('Import links');
      const rows = Array.from({ length: rowCount }, (_, row) =>
        row % 60 === 0 ? 'wrong' : `https://example.com/row-${row}`,
      );
      await drop('CSV file', 'links.csv', ['url', ...rows].join('\n'));
      await see("295 links can be created, 5 rows can't be imported.");
      await press('Import the other 295 rows');
      await see('295 links created');
    },
  ],
  [
    'create a key that may only read',
    4,
    async ({ press, fill, see }) => {
      await press('API keys');
      await fill('Name of a new key', 'reports');
      await press('Create key');
      await see('Copy the key now.');
      await press('Done');
      await see('reports');
      await press('Close');
    },
  ],
  [
    "save last month's report",
    3,
    async ({ press, see, evaluate }) => {
      await press('Overview');
      await press('Show last month');
      await see('Compare with');
      await evaluate(
        'HTMLAnchorElement.prototype.click = function () { window.saved = this.download }',
      );
      await press('Report as CSV');
      await expect.poll(() => evaluate('window.saved')).toMatch(/^all links .*-01 to .*\.csv$/);
    },
  ],
];

function addLinks({ links }: PageService): void {
  const createdAt = new Date(Date.now() - 90 * 86_400_000).toISOString();
  const many = Array.from({ length: 499 }, (_, number) => link(`link-${number}`));
  const found = { ...link('print-shop'), title: 'Poster for Q4' };
  void links.put(...[...many, found].map((item) => ({ ...item, owner: 'ada', createdAt })));
  links.add('spring', 'https://example.com/spring', 90);
  links.add('autumn', 'https://example.com/autumm', 90);
  links.count('spring', 60, ['vh', 'dm', 'r1', 'cc', 'utm'], 1);
  links.count('autumn', 12, ['vh', 'dd', 'rd', 'c2'], 7);
  links.count('spring', 100, ['vh', 'dm', 'r1', 'cc'], 8);
  links.countCampaigns('spring', { utm_campaign: { sale: 5, launch: 9 } }, 1);
}

const engines = Object.entries(browserEngines).filter(([, { findProblem }]) => !findProblem());

test.each(engines as [BrowserEngine, (typeof browserEngines)[BrowserEngine]][])(
  'in %s, an owner of 500 links does the daily tasks with few presses',
  async (_, { launch }) => {
    await using cleanup = new AsyncDisposableStack();
    const service = await startPageService();
    cleanup.defer(service.stop);
    addLinks(service);
    const browser = await launch();
    cleanup.defer(browser.close);
    const tab = await browser.openTab();
    const owner = describeOwner(tab);
    await tab.open(service.url);
    await owner.press('Sign in');
    await owner.see('on 502 links');
    owner.takePresses();

    const presses: [name: string, count: number][] = [];
    for (const [name, , run] of tasks) {
      // The page stays loaded.
      await tab.open(`${service.url}#/`);
      await owner.see('clicks counted on');
      await run(owner);
      presses.push([name, owner.takePresses()]);
    }

    expect(presses).toEqual(tasks.map(([name, count]) => [name, count]));
  },
);
