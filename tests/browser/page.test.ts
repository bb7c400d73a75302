import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { open, openBlank, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { findBarriers, measureOverflow, readFocus, signIn } from '../helpers/browser-tab.ts';

useBrowserAndService();
const nextYear = new Date().getUTCFullYear() + 1;
const unavailable = { status: 401, json: { message: 'Unauthorized' } };

beforeEach(() => {
  service.links.add('docs', 'https://docs.example.com/getting-started');
  service.links.add('spring', `https://example.com/${'long-path/'.repeat(20)}`);
  for (const daysAgo of [0, 1, 2, 40]) {
    service.links.count('spring', 10 + daysAgo, ['vh', 'dm', 'r01', 'h09', 'cc'], daysAgo);
    service.links.count('spring', 2, ['vb', 'do', 'rd', 'h17', 'co'], daysAgo);
  }
  const wide = 'w'.repeat(40);
  service.links.countCampaigns('spring', { 's=x': 1, 's=<b>&amp;': 2, [`s=${wide}`]: 9, s: 3 }, 1);
  service.links.countCampaigns('spring', { 's=x': 6, [`c=\u05d0${wide.slice(2)}`]: 4 });
  service.api.backlog = { waiting: 3, setAside: 1 };
});

test('every view is accessible in light and dark colours, obeys its policy and fits its window', async () => {
  // Half of a transition has colours of its own.
  await using page = await openBlank({ reducedMotion: 'reduce' });
  const barriers: Record<string, string[]> = {};
  const look = async (view: string) => {
    for (const [colorScheme, width] of [
      ['dark', 320],
      ['light', 1280],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => measureOverflow(page), { message: `${view}, ${width}` }).toBe(0);
      barriers[`${view}, ${colorScheme}`] = await findBarriers(page);
    }
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
  await look('refused link');
  await page.keyboard.press('Escape');

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
  await page.keyboard.press('Escape');

  await press('More actions for docs');
  await press('Delete');
  await look('deletion');
  await page.keyboard.press('Escape');

  await press('Import, restore and more');
  await page.getByRole('button', { name: 'API keys', exact: true }).click();
  await page.getByLabel('Name of a new key').fill('a-name-of-fifty-characters'.padEnd(50, '-'));
  await press('Create key');
  await look('new key');
  await press('Done');
  await page.getByText('never used').waitFor();
  await look('keys');
  await page.keyboard.press('Escape');

  await press('Import, restore and more');
  await press('Import links');
  const buffer = Buffer.from('url\nexample\nhttps://example.com/a\n');
  const csv = { name: 'links.csv', mimeType: 'text/csv', buffer };
  await page.getByLabel('CSV file').setInputFiles(csv);
  await page.getByText('links.csv has 2 rows.').waitFor();
  await look('preview');
  await press('Import 2 rows');
  await page.getByText('Line 2:').waitFor();
  await look('import');

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
  service.api.failWith = undefined;
  await press('Try again');
  await page.getByText('No clicks yet').waitFor();

  expect(Object.entries(barriers).filter(([, found]) => found.length > 0)).toEqual([]);
});

test("countries are named in the reader's language, eight at first, and left out while unknown", async () => {
  service.links.count('docs', 3, ['vh', 'dd', 'rd', 'h09', 'cu']);
  await using page = await open('#/links/docs', { locale: 'de-DE' });
  const list = page.getByRole('table', { name: 'Countries' });
  const rows = list.getByRole('rowheader');
  await page.getByRole('table', { name: 'Devices' }).waitFor();
  expect(await list.count()).toBe(0);

  for (let index = 0; index < 10; index += 1) {
    service.links.count('docs', 20 - index, ['vh', 'dd', 'rd', 'h09', `c${index}`]);
  }
  await page.reload();
  await expect.poll(() => rows.count()).toBe(8);
  await page.getByRole('button', { name: /^\d more$/ }).press('Enter');

  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(10);
  expect(await rows.allInnerTexts()).toEqual(expect.arrayContaining(['Indien', 'Unknown']));
});

test('the campaigns of a range are listed as they were sent, and only if there are any', async () => {
  await using page = await open('#/links/spring');
  const lists = page.getByRole('region', { name: 'Campaigns' });
  const list = page.getByRole('table', { name: 'Campaign sources' });

  await list.getByRole('row', { name: /^x 7 33/ }).waitFor();
  const names = await list.getByRole('rowheader').allInnerTexts();
  expect(names).toEqual(['w'.repeat(40), 'x', 'other', '<b>&amp;']);
  expect(await lists.getByRole('heading').allInnerTexts()).toEqual([
    ...['Campaigns', 'Campaign sources'],
  ]);
  expect(await lists.getByRole('button').count()).toBe(0);

  service.links.count('docs', 3, ['vh', 'dd', 'rd', 'h09']);
  await page.goto(`${service.url}#/links/docs`);
  await page.getByRole('table', { name: 'Devices' }).waitFor();
  expect(await lists.count()).toBe(0);
});

describe('signing in', () => {
  test("names the user, and keeps no token in the browser's storage", async () => {
    await using page = await open();
    await page.getByText('ada@example.com').waitFor();

    const stored: string = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );

    expect(stored).toBe('[{"click-tally.session":"yes"},{}]');
    expect(await page.context().cookies(service.url)).toEqual([]);
    // Once the issuer's session has ended, a reload doesn't sign in again.
    await page.context().clearCookies();
    await page.reload();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  test('is not necessary in another tab, or after a reload, which keeps the link, its range and the history', async () => {
    await using page = await open();
    const link = page.getByRole('link', { name: '/spring' });
    const change = page.locator('.figures').getByText('Against the 7 days before');
    await link.click();
    await page.getByText('7 days').click();
    await change.waitFor();
    await page.reload();
    await change.waitFor();
    expect(page.url()).toBe(`${service.url}#/links/spring?range=7d`);

    await page.goBack();

    await link.waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('link', { name: '/spring' }).waitFor();
  });

  test('out in one tab signs out the others, and ends the session at the issuer', async () => {
    await using page = await open();
    const other = await page.context().newPage();
    await other.goto(`${service.url}#/links/spring`);
    await other.getByRole('heading', { name: 'spring' }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();

    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await other.getByText('spring').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Ada' }).waitFor();
  });

  test('again uses a refresh token once, even if several requests need a new token', async () => {
    await using page = await open();
    const refused: string[] = [];
    const renewals: string[] = [];
    await page.route(/\/stats\?/, (route, request) => {
      const { authorization = '' } = request.headers();
      if (authorization !== (refused[0] ?? authorization)) return route.continue();
      refused.push(authorization);
      return route.fulfill(unavailable);
    });
    await page.route(/\/token$/, async (route, request) => {
      renewals.push(`${new URLSearchParams(request.postData() ?? '').get('refresh_token')}`);
      await expect.poll(() => refused.length).toBeGreaterThan(1);
      return route.continue();
    });

    await page.getByRole('link', { name: '/spring' }).click();

    await page.locator('.bar').last().waitFor();
    expect(renewals).toEqual([...new Set(renewals)]);
    expect(await page.locator('.notice').allInnerTexts()).toEqual([]);
  });

  test('again is asked for when the session has ended, beside the last numbers, and returns to them', async () => {
    await using page = await open('#/links/spring');
    await page.locator('.bar').last().waitFor();
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
    await page.locator('.figures').getByText('Against the 7 days before').waitFor();
  });
});

async function openMenu(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${code}` }).press('Enter');
}

describe('the links', () => {
  const clipboard = { permissions: ['clipboard-write', 'clipboard-read'] };
  const readClipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()');

  test('can be created, copied, disabled and opened with the keyboard only, which keeps the focus', async () => {
    await using page = await open('', clipboard);
    await page.getByText('spring').first().waitFor();
    const pressOn = async (name: string) => {
      for (let presses = 0; (await readFocus(page)) !== name; presses += 1) {
        if (presses === 40) throw new Error(`expected the keyboard to reach ${name}`);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    };

    await pressOn('New link');
    await page.keyboard.type('https://example.com/autumn');
    await page.keyboard.press('Tab');
    await page.keyboard.type('autumn');
    await page.keyboard.press('Enter');
    await page.getByText('Your link is ready').waitFor();
    await pressOn(`Copy ${service.url}autumn`);
    await pressOn('Done');
    expect(await readFocus(page)).toBe('New link');
    await pressOn('More actions for autumn');
    await pressOn('QR code');
    await page.getByRole('img', { name: `Leads to ${service.url}autumn` }).waitFor();
    await page.keyboard.press('Escape');
    await pressOn('More actions for autumn');
    await page.keyboard.press('Escape');
    await expect.poll(() => readFocus(page)).toBe('More actions for autumn');
    await pressOn('More actions for autumn');
    await pressOn('Disable');
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await readFocus(page)).toBe('More actions for autumn');
    await page.getByLabel('Search').focus();
    await pressOn(`${new URL(service.url).host}/autumn`);

    await page.getByRole('heading', { name: 'autumn' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    const { disabled, forwardQuery } = (await service.links.read('autumn')) ?? {};
    expect([disabled, forwardQuery]).toEqual([true, undefined]);
    expect(await readClipboard(page)).toBe(`${service.url}autumn`);
    await pressOn('Enable');
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    expect([await readFocus(page), await page.locator('.badge').count()]).toEqual(['Disable', 0]);
    expect((await service.links.read('autumn'))?.disabled).toBeUndefined();
    await page.getByRole('link', { name: 'Your links' }).last().press('Enter');
    await expect.poll(() => readFocus(page)).toBe('Your links');
  });

  test('beyond a hundred are all in the total, the order and the search, and watched once they are on screen', async () => {
    for (let index = 0; index < 120; index += 1) service.links.add(`link-${index}`);
    await using page = await open();
    const codes = () => page.locator('.short-code').allInnerTexts();
    await page.getByText(/clicks counted on 122 links · 12 today · as of/).waitFor();
    expect(await page.locator('.total').innerText()).toBe('91');
    // Docs is the oldest.
    await page.getByLabel('Search').fill('GETTING-STARTED');
    await page.getByText('1 of 122 links found.').waitFor();
    expect(await codes()).toEqual(['docs']);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Sort by').selectOption('Code');
    await expect.poll(async () => (await codes())[0]).toBe('docs');
    await page.getByLabel('Sort by').selectOption('Newest');

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

  test('keep their order and their place on the screen while another view is open', async () => {
    for (let index = 0; index < 40; index += 1) service.links.add(`link-${index}`);
    await using page = await open();
    const position = () => page.evaluate<number>('scrollY');
    await page.getByLabel('Sort by').selectOption('Code');
    const last = page.locator('.link-row', { hasText: '/spring' }).last();
    await expect.poll(() => page.locator('.short-code').last().innerText()).toBe('spring');
    await last.scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate('history.state?.scroll > 1000')).toBe(true);
    const before = await position();

    await page.getByRole('link', { name: '/spring' }).click();
    await page.locator('.bar').last().waitFor();
    expect(await position()).toBe(0);
    await page.goBack();
    await expect.poll(position).toBe(before);
    expect(await page.locator('.short-code').last().innerText()).toBe('spring');
    await page.reload();

    await expect.poll(position).toBe(before);
  });

  test('show their date, and clicks by people first, then those by bots, those without a known visitor, and the total', async () => {
    service.links.count('docs', 1, ['vh', 'dd', 'rd', 'h09']);
    service.links.count('docs', 1, ['vb', 'do', 'rd', 'h09']);
    service.links.count('docs', 3, ['vu', 'du', 'ru', 'h09'], 1);
    await using page = await open();
    const row = page.locator('.link-row', { hasText: '/docs' });
    const numbers = () => row.locator('.link-numbers').innerText();

    await expect
      .poll(numbers)
      .toMatch(/^1 by people · 1 by bots · 3 unknown\s+5 clicks · 2 today$/);
    service.click('docs');
    await expect
      .poll(numbers)
      .toMatch(/^2 by people · 1 by bots · 3 unknown\s+6 clicks · 3 today$/);
    const created = row.locator('time');
    expect(await created.innerText()).toMatch(/^Created\s+\d{1,2} [A-Z][a-z]{2} 20\d\d$/);
    expect(await created.getAttribute('datetime')).toBe(
      (await service.links.read('docs'))?.createdAt,
    );
  });

  test('are created once, although the service fails and then its response is lost', async () => {
    await using page = await open('', { ...clipboard, timezoneId: 'Europe/Berlin' });
    const create = page.getByRole('button', { name: 'Create link' });
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByLabel('Destination').fill('example.com/summer');
    await page.getByLabel('Code (optional)').fill('summer');
    await page.getByLabel('The link expires').check();
    await create.click();
    await page.getByText('Enter a date and a time, or untick the box above.').waitFor();
    await page.getByLabel('Expires on (Europe/Berlin time)').fill(`${nextYear}-05-26T18:00`);

    service.api.failWith = 500;
    await create.click();
    await page.getByText("The service didn't confirm it, so we don't know yet").waitFor();
    service.api.failWith = undefined;
    let requests = 0;
    await page.route('**/links/import', async (route) => {
      requests += 1;
      if (requests > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await create.press('Enter');

    await page.getByText('Your link is ready').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => readClipboard(page)).toBe(`${service.url}summer`);
    expect(requests).toBe(2);
    expect(await service.links.codes()).toEqual(['summer', 'spring', 'docs']);
    expect(await service.links.read('summer'))?.toMatchObject({
      ...{ url: 'https://example.com/summer', expiresAt: `${nextYear}-05-26T16:00:00.000Z` },
    });
  });

  test('that an operator took down say so and cannot be enabled', async () => {
    service.links.update('docs', { disabled: true, disabledBy: 'operator' });
    await using page = await open();
    const enable = page.getByRole('button', { name: 'Enable' });
    await page.getByText('Taken down', { exact: true }).waitFor();
    await openMenu(page, 'docs');
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await enable.count()).toBe(0);

    await page.getByRole('link', { name: '/docs' }).click();

    await page.getByText('An operator took this link down.').waitFor();
    expect(await enable.count()).toBe(0);
  });
});

test('a QR code is saved as an SVG or PNG file with the name of its link', async () => {
  await using page = await open('#/links/docs');
  await page.getByRole('button', { name: 'QR code' }).click();

  for (const [type, start] of [
    ['SVG', /^<svg xmlns="http:..www.w3.org.2000.svg" viewBox="0 0 \d+ \d+"/],
    ['PNG', /^\x89PNG/],
  ] as const) {
    const event = page.waitForEvent('download');
    await page.getByRole('button', { name: `Save ${type}` }).click();
    const file = await event;
    expect(file.suggestedFilename()).toBe(`docs.${type.toLowerCase()}`);
    expect(await readFile(await file.path(), 'latin1')).toMatch(start);
  }
});

describe('the chart', () => {
  test('shows the numbers of the bar that is touched, and has range buttons that a finger can hit', async () => {
    const viewport = { width: 360, height: 800 };
    await using page = await open('#/links/spring', { hasTouch: true, viewport });
    const reading = page.locator('.reading');
    await expect.poll(() => reading.innerText()).toMatch(/: 12 clicks, 10 by people, 2 by bots$/);

    const bars = page.locator('.bar');
    const { x = 0, y = 0 } = (await bars.nth(28).locator('.first').boundingBox()) ?? {};
    await page.touchscreen.tap(x + 2, y + 2);

    await expect.poll(() => reading.innerText()).toMatch(/: 13 clicks, 11 by people, 2 by bots$/);
    const boxes = await page.locator('.switch label').all();
    const heights = await Promise.all(boxes.map((box) => box.boundingBox()));
    expect(Math.min(...heights.map((box) => box?.height ?? 0))).toBeGreaterThanOrEqual(44);
  });

  test('of hours has the time zone of its reader, or UTC', async () => {
    await using page = await open('#/links/spring?range=2d', { timezoneId: 'Asia/Kabul' });
    await page.getByText('Times in Asia/Kabul').waitFor();
    await page.getByText('View as table').click();

    // Yesterday's 11 people came at 9:00 UTC.
    await page.getByRole('row', { name: /13:30 11$/ }).waitFor();
    await page.getByRole('button', { name: 'Show UTC' }).click();

    await page.getByRole('row', { name: /09:00 11$/ }).waitFor();
  });
});

test.each([
  ['throws an error', '(() => { throw new Error(); })()'],
  ['is null', 'null'],
])('if storage %s, the page asks for cookies', async (_, value) => {
  await using page = await openBlank();
  await page.addInitScript(
    `Object.defineProperty(window, 'sessionStorage', { get: () => ${value} })`,
  );

  await page.goto(service.url);

  await page.getByText('Allow cookies for this site').waitFor();
});
