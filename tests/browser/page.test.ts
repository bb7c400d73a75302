import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { browser, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { findBarriers, measureOverflow, openTab, signIn } from '../helpers/browser-tab.ts';

useBrowserAndService();

beforeEach(() => {
  service.links.add('docs', 'https://docs.example.com/getting-started');
  service.links.add('spring', `https://example.com/${'long-path/'.repeat(20)}`);
  for (const daysAgo of [0, 1, 2, 40]) {
    service.links.count('spring', 10 + daysAgo, ['vh', 'dm', 'r01', 'h09', 'cc'], daysAgo);
    service.links.count('spring', 2, ['vb', 'do', 'rd', 'h17', 'co'], daysAgo);
  }
  service.api.backlog = { waiting: 3, setAside: 1 };
});

test.each([
  ['light', [320, 1280]],
  ['dark', [1280, 320]],
] as const)(
  'in %s colours, every view is accessible, obeys its policy and fits its window',
  async (colorScheme, widths) => {
    await using tab = await openTab(browser, { colorScheme });
    const { page, problems } = tab;
    const barriers: Record<string, string[]> = {};
    const look = async (view: string) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await expect.poll(() => measureOverflow(page), { message: `${view}, ${width}` }).toBe(0);
      }
      barriers[view] = await findBarriers(page);
    };

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

    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByLabel('Destination').fill('https://localhost/');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Enter an address on the public internet.').waitFor();
    await look('refused link');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'More actions for docs' }).click();
    await look('menu');
    await page.getByRole('button', { name: 'QR code' }).click();
    await look('QR code');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: '/spring' }).click();
    await page.locator('.bar').last().waitFor();
    await page.getByText('View as table').click();
    await page.getByRole('heading', { name: 'Countries' }).waitFor();
    await look('link');

    await page.getByRole('button', { name: 'Germany' }).click();
    await page.locator('.legend').getByText('Germany').waitFor();
    await look('comparison');
    await page.getByRole('button', { name: 'Germany' }).click();

    await page.getByText('2 days').click();
    await page.getByText('Clicks by hour').waitFor();
    await look('hours');

    service.api.failWith = 503;
    await page.goto(`${service.url}#/links/docs`);
    await page.getByText("Your numbers couldn't be loaded.").waitFor();
    await look('failure');

    expect(Object.entries(barriers).filter(([, found]) => found.length > 0)).toEqual([]);
    expect(problems).toEqual([]);
  },
);

describe('the countries', () => {
  const list = (page: Page) => page.getByRole('table', { name: 'Countries' });

  test("are named in the reader's language", async () => {
    await using tab = await openTab(browser, { locale: 'de-DE' });

    await signIn(tab.page, service, '#/links/spring');

    await list(tab.page).waitFor();
    const rows = await list(tab.page).getByRole('rowheader').allInnerTexts();
    expect(rows).toEqual(['Deutschland', 'Other']);
  });

  test('are left out while all of them are unknown', async () => {
    service.links.count('docs', 3, ['vh', 'dd', 'rd', 'h09', 'cu']);
    await using tab = await openTab(browser);

    await signIn(tab.page, service, '#/links/docs');

    await tab.page.getByRole('table', { name: 'Devices' }).waitFor();
    expect(await list(tab.page).count()).toBe(0);
  });

  test('beyond eight are shown with the keyboard', async () => {
    for (let index = 0; index < 10; index += 1) {
      service.links.count('docs', 10 - index, ['vh', 'dd', 'rd', 'h09', `c${index}`]);
    }
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service, '#/links/docs');
    const rows = list(page).getByRole('rowheader');
    await expect.poll(() => rows.count()).toBe(8);

    await page.getByRole('button', { name: '2 more' }).press('Enter');

    await expect.poll(() => rows.count()).toBe(10);
    expect(await rows.first().innerText()).toBe('China');
  });
});

describe('signing in', () => {
  test("names the user, and keeps no token in the browser's storage", async () => {
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    await tab.page.getByText('ada@example.com').waitFor();

    const stored: string = await tab.page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }])',
    );

    expect(stored).toBe('[{"click-tally.session":"yes"},{}]');
    expect(await tab.page.context().cookies()).toEqual([]);
  });

  test("is necessary after a reload if the issuer's session has ended", async () => {
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    service.issuer.hasSession = false;

    await tab.page.reload();

    await tab.page.getByText('Your session has ended.').waitFor();
    await tab.page.getByRole('button', { name: 'Sign in' }).click();
    await tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  test('is not necessary in another tab, or after a reload, which keeps the link, its range and the history', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    await page.getByRole('link', { name: '/spring' }).click();
    await page.getByText('7 days').click();
    await page.locator('.figures').getByText('Against the 7 days before').waitFor();
    await page.reload();
    await page.locator('.figures').getByText('Against the 7 days before').waitFor();
    expect(page.url()).toBe(`${service.url}#/links/spring?range=7d`);

    await page.goBack();

    await page.getByRole('link', { name: '/spring' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('link', { name: '/spring' }).waitFor();
  });

  test('out in one tab signs out the others, and ends the session at the issuer', async () => {
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    const other = await tab.page.context().newPage();
    await other.goto(`${service.url}#/links/spring`);
    await other.getByRole('heading', { name: 'spring' }).waitFor();

    await tab.page.getByRole('button', { name: 'Sign out' }).click();

    await tab.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await other.getByText('spring').count()).toBe(0);
    expect(service.issuer.hasSession).toBe(false);
  });
});

/** Fills in the form for a new link, and submits it. */
async function createLink(page: Page, url: string, code = ''): Promise<void> {
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Destination').fill(url);
  await page.getByLabel('Code (optional)').fill(code);
  await page.keyboard.press('Enter');
}

async function openMenu(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${code}` }).press('Enter');
}

const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.innerText');

describe('the links', () => {
  test('can be created, copied, disabled and opened with the keyboard only', async () => {
    await using tab = await openTab(browser, {
      permissions: ['clipboard-write', 'clipboard-read'],
    });
    const { page } = tab;
    await signIn(page, service);
    await page.getByText('spring').first().waitFor();
    const pressOn = async (name: string) => {
      for (let presses = 0; (await focused(page)) !== name; presses += 1) {
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
    expect(await focused(page)).toBe('New link');
    await pressOn('More actions for autumn');
    await pressOn('QR code');
    await page.getByRole('img', { name: `Leads to ${service.url}autumn` }).waitFor();
    await page.keyboard.press('Escape');
    await pressOn('More actions for autumn');
    await pressOn('Disable');
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await focused(page)).toBe('More actions for autumn');
    await page.getByLabel('Search').focus();
    await pressOn(`${new URL(service.url).host}/autumn`);

    await page.getByRole('heading', { name: 'autumn' }).waitFor();
    expect((await service.links.describe('autumn')).disabled).toBe(true);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${service.url}autumn`);
  });

  test('beyond a hundred are all in the total and the search, and watched once they are on screen', async () => {
    for (let index = 0; index < 120; index += 1) service.links.add(`link-${index}`);
    await using tab = await openTab(browser);
    const { page } = tab;
    const rows = () => page.locator('.link-row').count();
    await signIn(page, service);
    await page.getByText(/clicks counted on 122 links · 12 today · as of/).waitFor();
    expect(await page.locator('.total').innerText()).toBe('91');
    // Docs is the oldest.
    await page.getByLabel('Search').fill('GETTING-STARTED');
    await page.getByText('1 of 122 links found.').waitFor();
    expect(await rows()).toBe(1);
    await page.getByLabel('Search').fill('');

    for (const shown of [100, 122]) {
      await page.getByRole('button', { name: /^Show \d+ of/ }).press('Enter');
      await expect.poll(rows).toBe(shown);
    }
    await expect.poll(() => focused(page)).toMatch(/link-19$/);
    await page.evaluate('scrollTo(0, 0)');
    await expect.poll(() => service.live.watchedCodes()).not.toContain('docs');
    await page.getByRole('link', { name: '/docs' }).scrollIntoViewIfNeeded();

    await expect.poll(() => service.live.watchedCodes()).toContain('docs');
    await expect.poll(() => service.live.watchedCodes()).toHaveLength(100);
  });

  test('keep their place on the screen while another view is open', async () => {
    for (let index = 0; index < 40; index += 1) service.links.add(`link-${index}`);
    await using tab = await openTab(browser);
    const { page } = tab;
    const position = () => page.evaluate<number>('scrollY');
    await signIn(page, service);
    await page.getByRole('link', { name: '/spring' }).scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate('history.state?.scroll > 1000')).toBe(true);
    const before = await position();

    await page.getByRole('link', { name: '/spring' }).click();
    await page.locator('.bar').last().waitFor();
    expect(await position()).toBe(0);
    await page.goBack();
    await expect.poll(position).toBe(before);
    await page.reload();

    await expect.poll(position).toBe(before);
  });

  test('are live as long as all are watched, and the page never says so beside a failure', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await page.clock.install();
    await signIn(page, service);
    const status = page.locator('.live-status');
    const scope = page.locator('.total-scope');
    await expect.poll(() => status.innerText()).toBe('Live');
    await expect.poll(() => scope.innerText()).toBe('clicks counted on 2 links · 12 today');
    await page.evaluate(`
      window.seen = new Set();
      const note = () => seen.add([...document.querySelectorAll('.notice strong, .live-status')].map((each) => each.innerText).join(' | '));
      new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);

    service.api.failWith = 503;
    await page.clock.fastForward('00:31');
    await page.getByText("Your numbers couldn't be loaded.").waitFor();
    await expect.poll(() => scope.innerText()).toMatch(/ as of \d\d:\d\d:\d\d$/);
    service.api.failWith = undefined;
    await page.clock.fastForward('00:06');

    await expect.poll(() => status.innerText()).toBe('Live');
    const seen: string[] = await page.evaluate('[...seen]');
    expect(seen.filter((text) => text.includes('|') && text.includes('Live'))).toEqual([]);
  });

  test('show their date, and clicks by people first, then those by bots, those without a known visitor, and the total', async () => {
    service.links.count('docs', 1, ['vh', 'dd', 'rd', 'h09']);
    service.links.count('docs', 1, ['vb', 'do', 'rd', 'h09']);
    service.links.count('docs', 3, ['vu', 'du', 'ru', 'h09'], 1);
    await using tab = await openTab(browser);
    const { page } = tab;
    const numbersOf = (code: string) =>
      page
        .locator('.link-row', { hasText: `/${code}` })
        .locator('.link-numbers')
        .innerText();

    await signIn(page, service);

    await expect
      .poll(() => numbersOf('spring'))
      .toMatch(/^83 by people · 8 by bots\s+91 clicks · 12 today$/);
    await expect
      .poll(() => numbersOf('docs'))
      .toMatch(/^1 by people · 1 by bots · 3 unknown\s+5 clicks · 2 today$/);
    service.click('docs');
    await expect
      .poll(() => numbersOf('docs'))
      .toMatch(/^2 by people · 1 by bots · 3 unknown\s+6 clicks · 3 today$/);
    const created = page.locator('.link-row', { hasText: '/docs' }).locator('time');
    expect(await created.innerText()).toMatch(/^Created\s+\d{1,2} [A-Z][a-z]{2} 20\d\d$/);
    expect(await created.getAttribute('datetime')).toBe(
      (await service.links.describe('docs')).createdAt,
    );
  });

  test('are sorted by code, also after a visit to one of them', async () => {
    service.links.add('apple');
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    const codes = () => page.locator('.short-code').allInnerTexts();

    await expect.poll(codes).toEqual(['apple', 'spring', 'docs']);
    await page.getByLabel('Sort by').selectOption('Code');
    await expect.poll(codes).toEqual(['apple', 'docs', 'spring']);
    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByRole('link', { name: 'Your links', exact: false }).last().click();
    await expect.poll(codes).toEqual(['apple', 'docs', 'spring']);
  });

  test('are created from an address without a scheme, if necessary at a second try, and ready to copy', async () => {
    await using tab = await openTab(browser, {
      permissions: ['clipboard-write', 'clipboard-read'],
    });
    const { page } = tab;
    await signIn(page, service);

    service.api.failWith = 500;
    await createLink(page, 'example.com/summer', 'summer');
    await page.getByText("The service didn't confirm it, so we don't know yet").waitFor();
    service.api.failWith = undefined;
    await page.getByRole('button', { name: 'Create link' }).press('Enter');

    await page.getByText('Your link is ready').waitFor();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(`${service.url}summer`);
    expect((await service.links.describe('summer')).url).toBe('https://example.com/summer');
  });

  test('are created once, although the response is lost', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    const before = (await service.links.codes()).length;
    let requests = 0;
    await page.route('**/links/import', async (route) => {
      requests += 1;
      if (requests > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });

    await createLink(page, 'example.com/once');

    await page.getByText('Your link is ready').waitFor();
    expect(requests).toBe(2);
    expect(await service.links.codes()).toHaveLength(before + 1);
  });

  test('are created with an expiry in the time zone of their owner', async () => {
    await using tab = await openTab(browser, { timezoneId: 'Europe/Berlin' });
    const { page } = tab;
    await signIn(page, service);
    const nextYear = new Date().getUTCFullYear() + 1;
    const expiry = page.getByLabel('Expires on (Europe/Berlin time)');

    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByLabel('Destination').fill('example.com/summer');
    await page.getByLabel('Code (optional)').fill('summer');
    expect(await expiry.isVisible()).toBe(false);
    await page.getByLabel('The link expires').check();
    await expiry.press('1');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Enter a date and a time, or untick the box above.').waitFor();
    await expiry.fill('2020-05-26T18:00');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Enter a time in the future.').waitFor();
    await expiry.fill(`${nextYear}-05-26T18:00`);
    await expiry.press('Enter');

    await page.getByText(`Expires 26 May ${nextYear}, 18:00`).waitFor();
    expect((await service.links.describe('summer')).expiresAt).toBe(
      `${nextYear}-05-26T16:00:00.000Z`,
    );
  });

  test('that an operator took down say so and cannot be enabled', async () => {
    service.links.update('docs', { disabled: true }, 'operator');
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    await page.getByText('Taken down', { exact: true }).waitFor();
    await openMenu(page, 'docs');
    await page.getByRole('button', { name: 'Edit' }).waitFor();
    expect(await page.getByRole('button', { name: 'Enable' }).count()).toBe(0);

    await page.getByRole('link', { name: '/docs' }).click();

    await page.getByText('An operator took this link down.').waitFor();
    expect(await page.getByRole('button', { name: 'Enable' }).count()).toBe(0);
  });
});

describe('the focus', () => {
  test('stays on the button of an action, and moves to the heading of another view', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);

    await openMenu(page, 'docs');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('More actions for docs');
    await expect.poll(() => page.getByRole('button', { name: 'Disable' }).count()).toBe(0);
    await openMenu(page, 'docs');
    await page.getByRole('button', { name: 'Disable' }).press('Enter');
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await focused(page)).toBe('More actions for docs');

    await page.getByRole('link', { name: '/docs' }).press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.getByRole('button', { name: 'Enable' }).press('Enter');
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    expect(await focused(page)).toBe('Disable');
    expect(await page.locator('.badge').count()).toBe(0);
    expect((await service.links.describe('docs')).disabled).toBe(false);
    await page.getByRole('link', { name: 'Your links', exact: false }).last().press('Enter');
    await expect.poll(() => focused(page)).toBe('Your links');
  });
});

test.each([
  ['svg', /^<svg xmlns="http:..www.w3.org.2000.svg" viewBox="0 0 \d+ \d+"/],
  ['png', /^\x89PNG/],
])('a QR code is saved as %s, with the name of its link', async (type, start) => {
  await using tab = await openTab(browser);
  await signIn(tab.page, service, '#/links/docs');
  await tab.page.getByRole('button', { name: 'QR code' }).click();
  const event = tab.page.waitForEvent('download');

  await tab.page.getByRole('button', { name: `Save ${type.toUpperCase()}` }).click();

  const file = await event;
  expect(file.suggestedFilename()).toBe(`docs.${type}`);
  expect(await readFile(await file.path(), 'latin1')).toMatch(start);
});

describe('the chart', () => {
  test('shows the numbers of the bar that is touched, and has range buttons that a finger can hit', async () => {
    const viewport = { width: 360, height: 800 };
    await using tab = await openTab(browser, { hasTouch: true, viewport });
    const { page } = tab;
    await signIn(page, service, '#/links/spring');
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
    await using tab = await openTab(browser, { timezoneId: 'Asia/Kabul' });
    const { page } = tab;
    await signIn(page, service, '#/links/spring?range=2d');
    await page.getByText('Times in Asia/Kabul').waitFor();
    await page.getByText('View as table').click();

    // Yesterday's 11 people came at 9:00 UTC.
    await page.getByRole('row', { name: /13:30 11$/ }).waitFor();
    await page.getByRole('button', { name: 'Show UTC' }).click();

    await page.getByRole('row', { name: /09:00 11$/ }).waitFor();
  });
});

test.each(['throws an error', 'is null'])(
  'if storage %s, the page asks for cookies',
  async (kind) => {
    await using tab = await openTab(browser);
    const value = kind === 'is null' ? 'null' : '(() => { throw new Error(); })()';
    await tab.page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get: () => ${value} })`,
    );

    await tab.page.goto(service.url);

    await tab.page.getByText('Allow cookies for this site').waitFor();
    expect(tab.problems).toEqual([]);
  },
);

test.each([
  ['reduce', ['none', '0s', '0s']],
  ['no-preference', ['breathe', '0.16s', '0.6s, 0.6s']],
] as const)(
  'with the preference %s, things move as they should',
  async (reducedMotion, expected) => {
    await using tab = await openTab(browser, { reducedMotion });
    await signIn(tab.page, service, '#/links/spring');
    await tab.page.locator('.is-live .live-dot').waitFor();
    await tab.page.locator('.bar').last().waitFor();

    const motions = await tab.page.evaluate(`(() => {
    const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
    const { animationName, transitionDuration } = styleOf('.live-dot');
    return [animationName, transitionDuration, styleOf('.bar .first').transitionDuration];
  })()`);

    expect(motions).toEqual(expected);
  },
);
