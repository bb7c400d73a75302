import type { KeyInput, Page } from 'puppeteer-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type PageService, startPageService } from '../helpers/page-service.ts';
import { findFirefoxProblem, launchFirefox } from './browsers.ts';

// The page's other tests run in Chromium. These are about what Firefox does differently.
describe.skipIf(findFirefoxProblem())('the page in Firefox', () => {
  let service: PageService;
  let cleanup: AsyncDisposableStack;
  beforeEach(async () => {
    cleanup = new AsyncDisposableStack();
    service = await startPageService();
    cleanup.defer(service.stop);
  });
  afterEach(() => cleanup.disposeAsync());

  async function open(prefs = {}): Promise<Page> {
    const browser = await launchFirefox(prefs);
    cleanup.defer(() => browser.close());
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
    const page = await open();
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
    const page = await open(prefs);

    await waitForText(page, 'Allow cookies for this site');
  });
});
