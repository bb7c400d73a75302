import type { Browser, KeyInput, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type PageService, startPageService } from '../helpers/page-service.ts';
import { findFirefoxProblem, launchFirefox } from './browsers.ts';

// The page's other tests run in Chromium. These are about what Firefox does differently.
describe.skipIf(findFirefoxProblem())('the page in Firefox', () => {
  const cleanup = new AsyncDisposableStack();
  let service: PageService;
  let firefox: Browser;
  beforeAll(async () => {
    service = await startPageService();
    cleanup.defer(service.stop);
    firefox = await launchFirefox();
    cleanup.defer(() => firefox.close());
  });
  afterAll(() => cleanup.disposeAsync());
  beforeEach(() => service.empty());

  async function openIn(browser: Pick<Browser, 'newPage'>): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(service.url);
    return page;
  }

  const waitForText = (page: Page, text: string) =>
    expect.poll(() => page.evaluate('document.body.innerText')).toContain(text);

  test.each<[string, ...KeyInput[]]>([
    ['a date without a time', '1', '2', 'Tab', '2', '5', 'Tab', '2', '0', '9', '9', 'Enter'],
    ['the first digit of a month', '1', 'Enter'],
    ['an expiry that was deleted', '1', '2', 'Backspace', 'Enter'],
  ])('rejects %s, unless the link never expires', async (_, ...keys) => {
    await using context = await firefox.createBrowserContext();
    const page = await openIn(context);
    await page.waitForSelector('button').then((button) => button?.click());
    await page.waitForSelector('.list-head .is-primary').then((button) => button?.click());
    await page.waitForSelector('[name="url"]');
    await page.type('[name="url"]', 'https://example.com/');
    await page.click('[name="expires"]');
    await page.click('[name="expiresAt"]');

    for (const key of keys) await page.keyboard.press(key);

    await waitForText(page, 'Enter a date and a time, or untick the box above.');
    expect(await service.links.codes()).toEqual([]);
    await page.click('[name="expires"]');
    await page.click('dialog [type="submit"]');
    await waitForText(page, 'Your link is ready');
    const [code = ''] = await service.links.codes();
    expect((await service.links.read(code))?.expiresAt).toBeUndefined();
  });

  test.each([
    ['are blocked', { 'network.cookie.cookieBehavior': 2 }],
    ['are allowed, but storage is switched off', { 'dom.storage.enabled': false }],
  ])('asks for cookies if they %s', async (_, prefs) => {
    await using browser = await launchFirefox(prefs);
    const page = await openIn(browser);

    await waitForText(page, 'Allow cookies for this site');
  });
});
