import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { open, openBlank, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import {
  findBarriersOf,
  measureOverflow,
  openSignedIn,
  readFocus,
  readLater,
  signIn,
} from '../helpers/browser-tab.ts';

useBrowserAndService();
const nextYear = new Date().getUTCFullYear() + 1;
const unavailable = { status: 401, json: { message: 'Unauthorized' } };

beforeEach(() => {
  service.links.add('docs', 'https://docs.example.com/getting-started');
  service.links.add('spring', `https://example.com/${'long-path/'.repeat(20)}`);
  for (const daysAgo of [0, 1, 2, 40]) {
    service.links.count('spring', 10 + daysAgo, ['vh', 'dm', 'r1', 'h09', 'cc'], daysAgo);
    service.links.count('spring', 2, ['vb', 'do', 'rd', 'h17', 'co'], daysAgo);
  }
  const wide = 'w'.repeat(40);
  const yesterday = { x: 1, '<b>&amp;': 2, [wide]: 9, other: 3 };
  service.links.countCampaigns('spring', { utm_source: yesterday }, 1);
  const utm_campaign = { [`\u05d0${wide.slice(2)}`]: 4 };
  service.links.countCampaigns('spring', { utm_source: { x: 6 }, utm_campaign });
  service.api.backlog = { waiting: 3, deadLetters: 1 };
});

test('every view is accessible in light and dark colours, obeys its policy and fits its window', async () => {
  await using page = await openBlank();
  const barriers: string[] = [];
  const look = async (view: string) => {
    barriers.push(...(await findBarriersOf(page, view)));
  };
  const press = (name: string) => page.getByRole('button', { name }).click();

  await page.goto(service.url);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await look('signed out');

  await signIn(page, service);
  await page.getByText('12 today').first().waitFor();
  await look('links');

  await page.getByLabel('Search').fill('winter');
  await page.getByText('0 of 2 links found.').waitFor();
  await look('no matches');
  await page.getByLabel('Search').fill('');

  await press('New link');
  await page.getByLabel('Destination').fill('https://localhost/');
  await press('Create link');
  await page.getByText('Enter an address on the public internet.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).waitFor();
  await look('refused link');
  await press('Discard');

  await press('More actions for docs');
  await look('menu');
  await press('QR code');
  await look('QR code');
  await page.keyboard.press('Escape');

  await press('More actions for docs');
  await press('Edit');
  service.links.update('docs', { expiresAt: `${nextYear}-05-26T16:00:00.000Z` });
  await page.getByLabel('Destination').fill('https://example.com/other');
  await press('Save');
  await page.getByText(`Now: 26 May ${nextYear}`).waitFor();
  // The date and the time aren't cut off.
  expect((await page.getByLabel('Expires on').boundingBox())?.width).toBeGreaterThan(230);
  await look('edit');
  await press('Cancel');
  await press('Discard');

  await press('More actions for docs');
  await press('Delete');
  await look('deletion');
  await page.keyboard.press('Escape');

  await press('API keys');
  await page.getByLabel('Name of a new key').fill('a-name-of-fifty-characters'.padEnd(50, '-'));
  await press('Create key');
  await look('new key');
  await press('Done');
  await page.getByText('never used').waitFor();
  await look('keys');
  await page.keyboard.press('Escape');

  await press('Import, restore and more');
  await press('Deleted links');
  await page.getByText('There are none.').waitFor();
  await press('Import, restore and more');
  await press('Import links');
  const buffer = Buffer.from('url\nexample\nhttps://example.com/a\n');
  const csv = { name: 'links.csv', mimeType: 'text/csv', buffer };
  await page.getByLabel('CSV file').setInputFiles(csv);
  await page.getByText('links.csv has 2 rows.').waitFor();
  await look('preview');
  await press('Import the other 1 row');
  await page.getByText('1 link created').waitFor();
  await look('import');
  await press('Import, restore and more');
  await press('Choose links');
  await press('Choose all 3 found');
  await page.getByLabel('Action', { exact: true }).selectOption('Set the expiry');
  await look('chosen links');
  await page.getByLabel('Expires on').fill(`${nextYear}-05-26T18:00`);
  await press('Set the expiry: 3 links');
  await page.getByText('3 links given an expiry').waitFor();
  await look('changed links');
  await press('Undo');
  await page.getByText('3 links changed back').waitFor();
  await press('Import, restore and more');
  await press('Stop choosing');

  await page.getByRole('link', { name: '/spring' }).click();
  await page.locator('.bar').last().waitFor();
  await page.getByText('View as table').click();
  await page.getByRole('heading', { name: 'Countries' }).waitFor();
  await page.getByRole('heading', { name: 'Campaign sources' }).waitFor();
  await page.locator('.is-live .live-dot').waitFor();
  const motions = await page.evaluate(`['.live-dot', '.bar .first'].map((selector) => {
      const { animationName, transitionDuration } =
        getComputedStyle(document.querySelector(selector));
      return [animationName, ...transitionDuration.split(', ')];
    })`);
  expect(motions).toEqual([
    ['none', '0s'],
    ['none', '0s'],
  ]);
  await look('link');

  await press('Germany');
  await page.locator('.legend').getByText('Germany').waitFor();
  await look('comparison');
  await press('Germany');

  await page.getByText('2 days').click();
  await page.getByText('Clicks by hour').waitFor();
  await look('hours');

  service.api.failWith = 503;
  await page.goto(`${service.url}#/links/docs`);
  await page.getByText("Your numbers couldn't be loaded.").waitFor();
  await look('failure');
  // Once the service works again, the page may read by itself before the button is pressed.
  const failed = service.api.requests.length;
  await press('Try again');
  await expect.poll(() => service.api.requests.length).toBeGreaterThan(failed);
  service.api.failWith = undefined;
  await page.getByRole('heading', { name: 'No clicks counted yet' }).waitFor();

  expect(barriers).toEqual([]);
});

test('on a phone, a link has a chart that can be touched, countries, campaigns and hours in its time zone', async () => {
  const phone = { hasTouch: true, viewport: { width: 360, height: 800 } };
  await using page = await open('#/links/spring', {
    ...phone,
    locale: 'de-DE',
    timezoneId: 'Asia/Kabul',
  });
  const reading = page.locator('.reading');
  const campaigns = page.getByRole('region', { name: 'Campaigns' });
  const list = page.getByRole('table', { name: 'Campaign sources' });
  const countries = page.getByRole('table', { name: 'Countries' });
  const rows = countries.getByRole('rowheader');
  await expect.poll(() => reading.innerText()).toMatch(/: 12 clicks, 10 by people, 2 by bots$/);

  const bar = page.locator('.bar .first').nth(28);
  await bar.scrollIntoViewIfNeeded();
  const { x = 0, y = 0 } = (await bar.boundingBox()) ?? {};
  await page.touchscreen.tap(x + 2, y + 2);
  await expect.poll(() => reading.innerText()).toMatch(/: 13 clicks, 11 by people, 2 by bots$/);
  const boxes = await page.locator('.switch label').all();
  const heights = await Promise.all(boxes.map((box) => box.boundingBox()));
  expect(Math.min(...heights.map((box) => box?.height ?? 0))).toBeGreaterThanOrEqual(44);

  await list.getByRole('row', { name: /^x 7 33/ }).waitFor();
  const names = await list.getByRole('rowheader').allInnerTexts();
  expect(names).toEqual(['w'.repeat(40), 'x', 'other', '<b>&amp;']);
  const headings = await campaigns.getByRole('heading').allInnerTexts();
  expect(headings).toEqual(['Campaigns', 'Campaign sources']);
  expect(await campaigns.getByRole('button').count()).toBe(0);

  await page.getByText('2 days').click();
  await page.getByText('Times in Asia/Kabul').waitFor();
  await page.getByText('View as table').click();
  // Yesterday's 11 people came at 9:00 UTC.
  await page.getByRole('row', { name: /13:30 11$/ }).waitFor();
  await page.getByRole('button', { name: 'Show UTC' }).click();
  await page.getByRole('row', { name: /09:00 11$/ }).waitFor();

  service.links.count('docs', 3, ['vh', 'dd', 'rd', 'h09', 'cu']);
  await page.goto(`${service.url}#/links/docs`);
  await page.getByRole('table', { name: 'Devices' }).waitFor();
  expect(await countries.count()).toBe(0);
  expect(await campaigns.count()).toBe(0);
  for (let index = 0; index < 10; index += 1) {
    service.links.count('docs', 20 - index, ['vh', 'dd', 'rd', 'h09', `c${index}`]);
  }
  await page.reload();
  await expect.poll(() => rows.count()).toBe(8);
  await page.getByRole('button', { name: /^\d more$/ }).press('Enter');
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(10);
  expect(await rows.allInnerTexts()).toEqual(expect.arrayContaining(['Indien', 'Unknown']));
});

describe('signing in', () => {
  test('is for all tabs and reloads, keeps the view and no token, and signing out ends it in all tabs', async () => {
    await using page = await openBlank();
    await signIn(page, service);
    await page.getByText('ada@example.com').waitFor();
    const stored: string = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );
    expect(stored).toBe('[{"click-tally.session":"yes"},{}]');
    expect(await page.context().cookies(service.url)).toEqual([]);

    const link = page.getByRole('link', { name: '/spring' });
    const range = page.getByRole('radio', { name: '7 days', checked: true });
    await link.click();
    await page.getByText('7 days').click();
    await range.waitFor();
    await page.reload();
    await range.waitFor();
    expect(page.url()).toBe(`${service.url}#/links/spring?range=7d`);
    await page.goBack();
    await link.waitFor();

    const other = await page.context().newPage();
    await other.goto(`${service.url}#/links/spring`);
    await other.getByRole('heading', { name: 'spring' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await other.getByText('spring').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Ada' }).click();
    await link.waitFor();

    // Once the issuer's session has ended, a reload doesn't sign in again.
    await page.context().clearCookies();
    await page.reload();
    await page.getByText('Your session has ended.').waitFor();
  });

  test('again happens once for several requests, or is asked for beside the last numbers if that fails', async () => {
    await using page = await open();
    const rejected: string[] = [];
    const renewals: string[] = [];
    await page.route(/\/stats\?/, (route, request) => {
      const { authorization = '' } = request.headers();
      if (authorization !== (rejected[0] ?? authorization)) return route.continue();
      rejected.push(authorization);
      return route.fulfill(unavailable);
    });
    await page.route(/\/token$/, async (route, request) => {
      renewals.push(`${new URLSearchParams(request.postData() ?? '').get('refresh_token')}`);
      await expect.poll(() => rejected.length).toBeGreaterThan(1);
      return route.continue();
    });

    await page.getByRole('link', { name: '/spring' }).click();
    await page.locator('.bar').last().waitFor();
    expect(renewals).toEqual([...new Set(renewals)]);
    expect(await page.locator('.notice').allInnerTexts()).toEqual([]);

    await page.route(/\/stats\?/, (route) => route.fulfill(unavailable));
    await page.route(/\/token$/, (route) => {
      const headers = { 'access-control-allow-origin': '*' };
      return route.fulfill({ status: 400, headers, json: { error: 'invalid_grant' } });
    });
    await page.getByText('7 days').click();
    await page.getByText('These numbers are no longer updated.').waitFor();
    const notices = await page.locator('.notice strong').allInnerTexts();
    expect(notices).toEqual(['Your session has ended.']);
    expect(await page.locator('.total').innerText()).toBe('91');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await page.locator('.figures').getByText('Clicks by people').waitFor();
  });

  test('needs storage: if that throws an error or is null, the page asks for cookies', async () => {
    await using page = await openBlank();
    for (const value of ['(() => { throw new Error(); })()', 'null']) {
      await page.addInitScript(
        `Object.defineProperty(window, 'sessionStorage', { configurable: true, get: () => ${value} })`,
      );
      await page.goto(service.url);
      await page.getByText('Allow cookies for this site').waitFor();
    }
  });
});

describe('the links', () => {
  test('beyond a hundred are all in the total and the order, keep their place, and are watched on screen', async () => {
    for (let index = 0; index < 120; index += 1) service.links.add(`link-${index}`);
    await using page = await open();
    const codes = () => page.locator('.short-code').allInnerTexts();
    const position = () => page.evaluate<number>('scrollY');
    await page.getByText(/clicks counted on 122 links · 12 today · as of/).waitFor();
    expect(await page.locator('.total').innerText()).toBe('91');
    await page.getByLabel('Sort by').selectOption('Code');
    await expect.poll(async () => (await codes())[0]).toBe('docs');

    const last = page.locator('.link-code').last();
    const before = await codes();
    await last.scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate('history.state?.scroll > 1000')).toBe(true);
    const place = await position();
    await last.click();
    await page.getByRole('heading', { name: 'No clicks counted yet' }).waitFor();
    expect(await position()).toBe(0);
    await page.goBack();
    await expect.poll(position).toBe(place);
    expect(await codes()).toEqual(before);
    await page.reload();
    await expect.poll(position).toBe(place);

    for (const shown of [100, 122]) {
      await page.getByRole('button', { name: /^Show \d+ of/ }).press('Enter');
      await expect.poll(async () => (await codes()).length).toBe(shown);
    }
    await expect.poll(() => readFocus(page)).toMatch(/link-19$/);
    await page.evaluate('scrollTo(0, 0)');
    await expect.poll(() => service.live.watchedCodes()).not.toContain('docs');
    await page.getByRole('link', { name: '/docs' }).scrollIntoViewIfNeeded();
    await expect.poll(() => service.live.watchedCodes()).toContain('docs');
    await expect.poll(() => service.live.watchedCodes()).toHaveLength(100);
  });

  test('show their date, their clicks by visitor, and that an operator took them down', async () => {
    service.links.update('docs', { disabled: true, disabledBy: 'operator' });
    service.links.count('docs', 1, ['vh', 'dd', 'rd', 'h09']);
    service.links.count('docs', 1, ['vb', 'do', 'rd', 'h09']);
    service.links.count('docs', 3, ['vu', 'du', 'ru', 'h09'], 1);
    await using page = await open();
    const row = page.locator('.link-row', { hasText: '/docs' });
    const enable = page.getByRole('button', { name: 'Enable' });
    const numbers = () => row.locator('.link-numbers').innerText();

    await expect
      .poll(numbers)
      .toMatch(/^1\s+by people\s+1\s+by bots\s+5\s+clicks\s+2\s+today\s+3 by people or bots$/);
    service.click('docs');
    await expect
      .poll(numbers)
      .toMatch(/^2\s+by people\s+1\s+by bots\s+6\s+clicks\s+3\s+today\s+3 by people or bots$/);
    const created = row.locator('time');
    expect(await created.innerText()).toMatch(/^Created\s+\d{1,2} [A-Z][a-z]{2} 20\d\d$/);
    const { createdAt } = (await service.links.read('docs')) ?? {};
    expect(await created.getAttribute('datetime')).toBe(createdAt);
    await row.getByText('Taken down', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'More actions for docs' }).press('Enter');
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await enable.count()).toBe(0);

    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByText('An operator took this link down.').waitFor();
    expect(await enable.count()).toBe(0);
  });
});

describe('for the eye', () => {
  const edgesOf = (page: Page, selector: string) =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('${selector}')].map((it) => it.getBoundingClientRect().right)`,
    );

  test('the numbers of all links are in columns with heads, and a link without clicks says so', async () => {
    service.links.add('busy');
    service.links.count('busy', 1_234_567, ['vh', 'dd', 'rd', 'h09'], 1);
    await using page = await open();
    await page.getByText('1,234,567').first().waitFor();

    const heads = await page.locator('.list-columns .link-numbers span').allInnerTexts();
    expect(heads).toEqual(['People', 'Bots', 'Clicks', 'Today']);
    for (const [index, head] of heads.entries()) {
      const edges = await edgesOf(page, `.link-numbers > span:nth-child(${index + 1})`);
      expect(edges.length, head).toBe(3);
      expect(new Set(edges).size, head).toBe(1);
    }
    const docs = page.locator('.link-row', { hasText: '/docs' });
    expect(await docs.locator('.link-numbers').innerText()).toBe('No clicks counted yet');
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByText('1,234,567 by people').waitFor();
    expect(await measureOverflow(page)).toBe(0);
  });

  test("a total isn't promised while the links can't be read", async () => {
    await using page = await open();
    const total = page.locator('.total-scope');
    service.api.failWith = 503;
    await page.reload();

    await expect.poll(() => total.innerText()).toBe("clicks. They couldn't be added up.");
    service.api.failWith = undefined;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => total.innerText()).toContain('on 2 links');
  });

  test('without links, both ways to get some are offered', async () => {
    await service.empty();
    await using page = await open();

    await page.getByRole('button', { name: 'Create a link' }).click();
    await page.getByLabel('Destination').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Import from a file' }).press('Enter');
    await expect.poll(() => readFocus(page)).toBe('Import links');
  });

  test('paper shows the links and their numbers without anything to press, dark on light', async () => {
    await using page = await open('', { colorScheme: 'dark' });
    const presses = page.locator('button, input, select, a.button').filter({ visible: true });
    await page.locator('.link-people').waitFor();
    await page.emulateMedia({ media: 'print' });

    for (const [hash, content] of [
      ['#/', '.links'],
      ['#/links/spring', '.chart svg'],
    ] as const) {
      await page.evaluate(`location.hash = '${hash}'`);
      await page.locator(content).first().waitFor();
      // Countries are compared with a button, whose text is the country's name.
      await expect.poll(() => presses.and(page.locator(':not(.ranked *)')).count()).toBe(0);
    }
    const colour = await page.evaluate('getComputedStyle(document.documentElement).color');
    expect(colour).toBe('rgb(28, 27, 25)');
  });

  test('forced colours keep the chosen range and the meaning of the chart', async () => {
    await using page = await open('#/links/spring', { forcedColors: 'active' });
    await page.locator('.swatch').first().waitFor();
    const colourOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);

    expect(await colourOf('.switch :checked + span')).not.toBe(await colourOf('.switch span'));
    expect(await colourOf('.swatch')).not.toBe(await colourOf('.swatch.is-second'));
  });

  test("on a phone, none of a link's buttons is alone in its line, and the page ends with its content", async () => {
    await using page = await open('#/links/docs', { viewport: { width: 360, height: 800 } });
    await page.getByRole('heading', { name: 'No clicks counted yet' }).waitFor();
    const topOf = async (name: string) =>
      (await page.getByRole('button', { name, exact: true }).boundingBox())?.y;

    expect(await topOf('Delete')).toBe(await topOf('Edit'));
    const { below, width } = await page.evaluate<Record<string, number>>(`(() => {
      const [main, copy] = ['main', '.link-actions > :first-child'].map((selector) =>
        document.querySelector(selector));
      return { below: parseFloat(getComputedStyle(main).paddingBottom), width: copy.offsetWidth };
    })()`);
    expect(below).toBeLessThanOrEqual(48);
    expect(width).toBe(328);
  });
});

const readTotal = async (page: Page) => Number(await page.locator('.total').innerText());
const figuresOf = async (page: Page) =>
  (await page.locator('.figures > div > *').allInnerTexts()).map((text) => text.trim());
const listOf = async (page: Page, name: string) =>
  (await page.getByRole('table', { name }).innerText()).replaceAll('\n\t', '\t');
const status = (page: Page) => page.locator('.live-status').innerText();

describe('live numbers', () => {
  beforeEach(() => {
    service.links.count('docs', 10, ['vh', 'dd', 'rd', 'h07']);
    service.links.count('docs', 5, ['vb', 'do', 'rd', 'h08'], 1);
  });

  test('rise with pushes without a read, are read again for an earlier day, and catch up after being offline', async () => {
    await using page = await open('#/links/docs');
    await expect.poll(() => service.live.watchedCodes()).toEqual(['docs']);
    await expect.poll(() => readTotal(page)).toBe(15);
    const requests = service.api.requests.length;
    const highlight = page.locator('.figures .has-risen').first().waitFor();

    service.click('docs', 3, ['vh', 'dm', 'r1', 'cc', 'nh']);
    service.click('docs', 4, ['vu', 'du', 'ru']);

    await highlight;
    await expect.poll(() => readTotal(page)).toBe(22);
    await expect
      .poll(() => figuresOf(page))
      .toEqual([
        ...['Clicks', '22', 'Clicks by people', '13', 'Clicks by bots', '5'],
        ...['Unknown', '4', 'From data centers', '3'],
      ]);
    expect(await listOf(page, 'Sources')).toContain('Google\t3\t14%');
    expect(await listOf(page, 'Countries')).toContain('Germany\t3\t14%');
    expect(await listOf(page, 'Devices')).toContain('Mobile\t3\t14%');
    expect(await page.locator('.reading').innerText()).toMatch(
      /: 17 clicks, 13 by people, 0 by bots, 4 unknown$/,
    );
    const reads = service.api.requests.slice(requests).filter((call) => call.includes('/links'));
    expect(reads).toEqual([]);

    service.click('docs', 4, ['vh', 'dt', 'rd'], 1);
    await page.getByText('Tablet').waitFor();
    await expect.poll(() => readTotal(page)).toBe(26);

    await page.context().setOffline(true);
    await expect.poll(() => status(page)).toMatch(/^Offline/);
    service.live.disconnect();
    service.links.count('docs', 2, ['vh', 'dd', 'rd', 'h07']);
    await page.context().setOffline(false);
    await expect.poll(() => readTotal(page)).toBe(28);
    await expect.poll(() => status(page)).toBe('Live');
  });

  test('are compared with those of the period before, and those of a value with all', async () => {
    service.links.add('news', 'https://example.com/', 90);
    for (const { clicks, daysAgo, country } of [
      { clicks: 6, daysAgo: 1, country: 'cc' },
      { clicks: 4, daysAgo: 2, country: 'c0' },
      { clicks: 5, daysAgo: 8, country: 'c0' },
      { clicks: 3, daysAgo: 14, country: 'c0' },
      { clicks: 100, daysAgo: 15, country: 'c0' },
    ] as const) {
      service.links.count('news', clicks, ['vh', 'dd', 'rd', 'h07', country], daysAgo);
    }
    service.api.backlog = { waiting: 0, deadLetters: 0 };
    await using page = await open('#/links/news?range=7d');
    const reading = () => page.locator('.reading').innerText();

    const change = page.locator('.change');
    await expect.poll(() => change.innerText()).toMatch(/^\+25% 10 clicks .*, against 8 from /);
    await page.getByRole('button', { name: 'Germany' }).click();
    await expect.poll(reading).toMatch(/: 0 clicks, 0 Germany, 0 others$/);
    service.click('news', 2, ['vh', 'dd', 'rd', 'cc']);
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

  test('are polled without pushes, which the page says, and recover', async () => {
    service.live.isDeaf = true;
    await using page = await openBlank();
    await page.clock.install();
    await openSignedIn(page, service, '#/links/docs');
    const sees = async (text: string, clicks: number) => {
      await expect.poll(() => readLater(page, () => status(page))).toBe(text);
      await expect.poll(() => readLater(page, () => readTotal(page))).toBe(clicks);
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
});
