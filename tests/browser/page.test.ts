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
  ['light', [360, 1280]],
  ['dark', [1280, 360]],
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
    await page.getByRole('button', { name: 'Download links (CSV)' }).waitFor();
    await look('links');

    await page.getByRole('searchbox').fill('winter');
    await page.getByText('0 of 2 links found.').waitFor();
    await look('no matches');
    await page.getByRole('searchbox').fill('');

    await page.getByLabel('Destination URL').fill('https://localhost/');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Enter an address on the public internet.').waitFor();
    await look('refused link');

    await page.getByRole('button', { name: 'QR code of docs' }).click();
    await look('QR code');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: '/spring' }).click();
    await page.locator('.bar').last().waitFor();
    await page.getByText('View as table').click();
    await page.getByRole('heading', { name: 'Countries' }).waitFor();
    await page.getByRole('button', { name: 'Download statistics (CSV)' }).waitFor();
    await look('link');

    await page.getByText('2 days').click();
    await page.getByText('Hour by hour').waitFor();
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

    await tab.page.getByText('Each list adds up to 3').waitFor();
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

    expect(stored).toBe('[{},{"click-tally.session":"yes"}]');
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

  test('is not necessary after a reload, which returns to the same link and adds nothing to the history', async () => {
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    await tab.page.getByRole('link', { name: '/spring' }).click();
    await tab.page.getByRole('heading', { name: 'spring' }).waitFor();
    await tab.page.reload();
    await tab.page.getByRole('heading', { name: 'spring' }).waitFor();
    expect(tab.page.url()).toBe(`${service.url}#/links/spring`);

    await tab.page.goBack();

    await tab.page.getByRole('heading', { name: 'Your links' }).waitFor();
    await tab.page.getByRole('link', { name: '/spring' }).waitFor();
  });

  test('out in one tab signs out the others, and ends the session at the issuer', async () => {
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    const other = await tab.page.context().newPage();
    await signIn(other, service, '#/links/spring');

    await tab.page.getByRole('button', { name: 'Sign out' }).click();

    await tab.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await other.getByText('spring').count()).toBe(0);
    expect(service.issuer.hasSession).toBe(false);
  });
});

/** Holds the requests for all but the first links until the returned function is called. */
async function holdOlderLinks(page: Page): Promise<(outcome: 'continue' | 'abort') => void> {
  const { promise, resolve } = Promise.withResolvers<'continue' | 'abort'>();
  await page.route('**/links?limit=1000*', async (route) => route[await promise]());
  return resolve;
}

const addLinks = (count: number) => {
  for (let index = 0; index < count; index += 1) service.links.add(`link-${index}`);
};

const readTotals = async (page: Page) => [
  await page.locator('.total').innerText(),
  (await page.locator('.total-scope').innerText()).replace(/ \d\d:\d\d:\d\d$/, ' hh:mm:ss'),
];

describe('the links', () => {
  test('can be created, copied, disabled and opened with the keyboard only', async () => {
    await using tab = await openTab(browser, {
      permissions: ['clipboard-write', 'clipboard-read'],
    });
    const { page } = tab;
    await signIn(page, service);
    await page.getByText('spring').first().waitFor();
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        const focused = 'document.activeElement.ariaLabel ?? document.activeElement.innerText';
        if ((await page.evaluate(focused)) === name) return;
      }
      throw new Error(`expected the keyboard to reach ${name}`);
    };

    await page.getByLabel('Destination URL').focus();
    await page.keyboard.type('https://example.com/autumn');
    await page.keyboard.press('Tab');
    await page.keyboard.type('autumn');
    await page.keyboard.press('Enter');
    await page.locator('.link-code', { hasText: 'autumn' }).waitFor();
    await tabTo(`Copy ${service.url}autumn`);
    await page.keyboard.press('Enter');
    await tabTo('QR code of autumn');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await tabTo('Disable autumn');
    await page.keyboard.press('Enter');
    await page.getByText('Disabled', { exact: true }).waitFor();
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'autumn' }).waitFor();
    expect((await service.links.describe('autumn')).disabled).toBe(true);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${service.url}autumn`);
  });

  test('beyond a hundred are watched once they are on screen', async () => {
    addLinks(120);
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    for (const [name, shown] of [
      ['Show 50 more of 72 links', 100],
      ['Show 22 more of 22 links', 122],
    ] as const) {
      await tab.page.getByRole('button', { name }).click();
      await expect.poll(() => tab.page.locator('.link-row').count()).toBe(shown);
    }
    await tab.page.evaluate('scrollTo(0, 0)');
    await expect.poll(() => service.live.watchedCodes()).not.toContain('docs');

    await tab.page.getByRole('link', { name: '/docs' }).scrollIntoViewIfNeeded();

    await expect.poll(() => service.live.watchedCodes()).toContain('docs');
    // The page asks for 25 links in a message.
    await expect.poll(() => service.live.watchedCodes()).toHaveLength(100);
  });

  test('are all in the total, which is unknown until they are loaded and says as of when if they are too many to watch', async () => {
    addLinks(120);
    await using tab = await openTab(browser);
    const { page } = tab;
    const finish = await holdOlderLinks(page);
    await signIn(page, service);

    await page.getByText('Search and sorting cover the newest 100 links. Loading').waitFor();
    expect(await readTotals(page)).toEqual(['–', 'clicks']);
    finish('abort');
    await page.getByText("The older ones couldn't be loaded.").waitFor();
    expect(await readTotals(page)).toEqual(['–', 'clicks']);
    await page.unroute('**/links?limit=1000*');
    await page.getByRole('button', { name: 'Try again' }).click();

    // Spring has 12 clicks today and 91 in all, and is the second oldest.
    await page.getByText('clicks counted on 122 links · 12 today · as of').waitFor();
    expect((await readTotals(page))[0]).toMatch(/^91\b/);
    expect(await page.getByText('Search and sorting cover').count()).toBe(0);
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
    expect(await created.innerText()).toMatch(/^Created \d{1,2} [A-Z][a-z]{2} 20\d\d$/);
    expect(await created.getAttribute('datetime')).toBe(
      (await service.links.describe('docs')).createdAt,
    );
  });

  test('are sorted by clicks by people, by code, and newest first', async () => {
    service.links.add('apple');
    service.links.count('docs', 200, ['vb', 'do', 'rd', 'h09']);
    service.links.count('apple', 7, ['vh', 'dd', 'rd', 'h09']);
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    const codes = async () =>
      (await page.locator('.link-code').allInnerTexts()).map((text) => text.replace(/^.*\//, ''));
    const sortBy = (name: string) => page.getByLabel('Sort by').selectOption(name);

    await expect.poll(codes).toEqual(['apple', 'spring', 'docs']);
    await sortBy('Clicks');
    await expect.poll(codes).toEqual(['docs', 'spring', 'apple']);
    await sortBy('Clicks by people');
    await expect.poll(codes).toEqual(['spring', 'apple', 'docs']);
    await sortBy('Code');
    await expect.poll(codes).toEqual(['apple', 'docs', 'spring']);
    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByRole('link', { name: 'Your links', exact: false }).last().click();
    await expect.poll(codes).toEqual(['apple', 'docs', 'spring']);
    await sortBy('Newest');
    await expect.poll(codes).toEqual(['apple', 'spring', 'docs']);
  });

  test('are searched by code and destination, also those that are not shown', async () => {
    addLinks(60);
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    const rows = () => page.locator('.link-row').count();
    await expect.poll(rows).toBe(50);

    await page.getByLabel('Search 62 links (code and destination)').fill('GETTING-STARTED');
    await page.getByText('1 of 62 links found.').waitFor();
    expect(await page.locator('.link-code').innerText()).toMatch(/\/docs$/);

    await page.getByRole('searchbox').fill('link-2');
    await page.getByText('11 of 62 links found.').waitFor();
    await page.getByRole('searchbox').fill('');
    await expect.poll(rows).toBe(50);
  });

  test('that are created while others load stay', async () => {
    addLinks(120);
    await using tab = await openTab(browser);
    const { page } = tab;
    const finish = await holdOlderLinks(page);
    await signIn(page, service);

    await page.getByLabel('Destination URL').fill('example.com');
    await page.getByLabel('Custom back-half (optional)').fill('summer');
    await page.keyboard.press('Enter');
    const row = page.locator('.link-row', { hasText: '/summer' });
    await row.waitFor();
    finish('continue');

    await page.getByText('clicks counted on 123 links').waitFor();
    expect(await row.count()).toBe(1);
  });

  test('are created from an address without a scheme, if necessary at a second try, and ready to copy', async () => {
    await using tab = await openTab(browser, {
      permissions: ['clipboard-write', 'clipboard-read'],
    });
    const { page } = tab;
    await signIn(page, service);

    service.api.failWith = 500;
    await page.getByLabel('Destination URL').fill('example.com/summer');
    await page.getByLabel('Custom back-half (optional)').fill('summer');
    await page.keyboard.press('Enter');
    await page.getByText("The service didn't confirm it, so we don't know yet").waitFor();
    service.api.failWith = undefined;
    await page.getByRole('button', { name: 'Create link' }).press('Enter');

    await page.getByText(`Your link is ready: ${new URL(service.url).host}/summer`).waitFor();
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

    await page.getByLabel('Destination URL').fill('example.com/once');
    await page.keyboard.press('Enter');

    await page.getByText('Your link is ready').waitFor();
    expect(requests).toBe(2);
    expect(await service.links.codes()).toHaveLength(before + 1);
  });

  test('have no line while their last days are unknown, and a failure is named', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await page.route('**/links/spring/stats*', (route) =>
      route.fulfill({ status: 503, body: '{}' }),
    );
    await signIn(page, service);
    const row = page.getByRole('listitem').filter({ hasText: '/spring' });

    await row.getByText('12 today').waitFor();
    await page.getByText("Your numbers couldn't be loaded.").waitFor();
    expect(await row.locator('.sparkline path').count()).toBe(0);
    await page.unroute('**/links/spring/stats*');
    await page.getByRole('button', { name: 'Try again' }).click();

    await expect.poll(() => row.locator('.sparkline path').count()).toBeGreaterThan(0);
  });

  test('are created with an expiry in the time zone of their owner', async () => {
    await using tab = await openTab(browser, { timezoneId: 'Europe/Berlin' });
    const { page } = tab;
    await signIn(page, service);
    const nextYear = new Date().getUTCFullYear() + 1;
    const expiry = page.getByLabel('Expires (optional, Europe/Berlin time)');

    await page.getByLabel('Destination URL').fill('example.com/summer');
    await page.getByLabel('Custom back-half (optional)').fill('summer');
    await page.getByText('Set an expiry').press('Enter');
    await expiry.press('1');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Enter a date and a time, or tick No expiry.').waitFor();
    await expiry.fill('2020-05-26T18:00');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('Enter a time in the future.').waitFor();
    await expiry.fill(`${nextYear}-05-26T18:00`);
    await expiry.press('Enter');

    await page.getByText(`Expires 26 May ${nextYear}, 18:00`).waitFor();
    expect((await service.links.describe('summer')).expiresAt).toBe(
      `${nextYear}-05-26T16:00:00.000Z`,
    );
    expect(await expiry.inputValue()).toBe('');
  });

  test('that an operator took down say so and cannot be enabled', async () => {
    service.links.update('docs', { disabled: true }, 'operator');
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    await page.getByText('Taken down', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Enable docs' }).count()).toBe(0);

    await page.getByRole('link', { name: '/docs' }).click();

    await page.getByText('An operator took this link down.').waitFor();
    expect(await page.getByRole('button', { name: 'Enable docs' }).count()).toBe(0);
  });
});

describe('the focus', () => {
  const focused = (page: Page) =>
    page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText');

  test('stays on the button of an action, such as to disable a link and undo that', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);

    await page.getByRole('button', { name: 'Disable docs' }).press('Enter');
    await page.getByText('Disabled', { exact: true }).waitFor();
    expect(await focused(page)).toBe('Enable docs');

    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByText('Undone.').waitFor();
    expect(await focused(page)).toBe('Disable docs');
    expect((await service.links.describe('docs')).disabled).toBe(false);

    await page.getByRole('button', { name: 'Disable docs' }).press('Enter');
    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enable docs' }).press('Enter');
    await page.getByRole('button', { name: 'Disable docs' }).waitFor();
    expect(await page.locator('.badge').count()).toBe(0);
    expect((await service.links.describe('docs')).disabled).toBe(false);
  });

  test('moves to the heading of another view, and to the first of more links', async () => {
    addLinks(49);
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);

    await page.getByRole('button', { name: 'Show 1 more of 1 link' }).press('Enter');
    await expect.poll(() => focused(page)).toMatch(/\/docs$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await focused(page)).toMatch(/\/docs$|^docs$/);
    await page.getByRole('link', { name: 'Your links', exact: false }).last().press('Enter');

    await expect.poll(() => focused(page)).toBe('Your links');
  });
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

  test('of all time is named for its bars', async () => {
    service.links.count('docs', 1, ['vh', 'dd', 'rd', 'h01'], 200);
    await using tab = await openTab(browser);
    await signIn(tab.page, service, '#/links/docs');
    await tab.page.getByRole('heading', { name: 'Day by day' }).waitFor();

    await tab.page.getByText('All', { exact: true }).click();

    await tab.page.getByRole('heading', { name: 'Week by week' }).waitFor();
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
  ['no-preference', ['breathe', '0.16s', '0.6s']],
] as const)(
  'with the preference %s, things move as they should',
  async (reducedMotion, expected) => {
    await using tab = await openTab(browser, { reducedMotion });
    await signIn(tab.page, service, '#/links/spring');
    await tab.page.locator('.is-live .live-dot').waitFor();
    await tab.page.locator('.digit-reel').first().waitFor();

    const motions = await tab.page.evaluate(`(() => {
    const styleOf = (selector) => getComputedStyle(document.querySelector(selector));
    const { animationName, transitionDuration } = styleOf('.live-dot');
    return [animationName, transitionDuration, styleOf('.digit-reel').transitionDuration];
  })()`);

    expect(motions).toEqual(expected);
  },
);
