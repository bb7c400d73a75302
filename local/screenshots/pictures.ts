import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startVisitors } from './visitors.ts';

const timeoutMs = 60_000;
const maxAttempts = 50;
const marginPx = 16;
const desktop: BrowserContextOptions = {
  viewport: { width: 960, height: 900 },
  deviceScaleFactor: 1.25,
};
interface Picture {
  name: string;
  take(browser: Browser, linkUrl: string): Promise<Buffer>;
}

export const pictures: readonly Picture[] = [
  { name: 'live-light', take: (browser, url) => takeRising(browser, url, desktop) },
  {
    name: 'live-dark',
    take: (browser, url) => takeRising(browser, url, { ...desktop, colorScheme: 'dark' }),
  },
];

/** The page of a link while its total rises, with clicks on their way. */
async function takeRising(browser: Browser, linkUrl: string, options: BrowserContextOptions) {
  return await withLinkPage(browser, linkUrl, options, async (page) => {
    await using _visitors = startVisitors(linkUrl);
    await page.getByText(/up to [1-9]\d* pending/).waitFor();
    const { bottom } = await measure(page, '.panel');
    return await shootBetweenPushes(page, 0, bottom + marginPx);
  });
}

/** The position of an element, in pixels from the top of the page. */
async function measure(page: Page, selector: string): Promise<{ top: number; bottom: number }> {
  return await page.evaluate(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    return { top: top + scrollY, bottom: bottom + scrollY };
  })()`);
}

/**
 * Takes pictures until one shows a rise and was taken between two pushes. A click's total and its
 * day may arrive in two pushes, and until the second, the page shows two different sums.
 */
async function shootBetweenPushes(page: Page, top: number, bottom: number): Promise<Buffer> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    await page.locator('.rise.is-shown').waitFor();
    const before = await readSums(page);
    const picture = await shoot(page, top, bottom);
    const after = await readSums(page);
    if (new Set([...before, ...after]).size === 1) return picture;
  }
  throw new Error(`Expected a moment without a push; got none in ${maxAttempts} pictures.`);
}

/** The total, and the sum of the days, which should be equal. */
async function readSums(page: Page): Promise<string[]> {
  const total = await page.locator('.total .figure .hidden').innerText();
  const sentence = await page.locator('.people').innerText();
  return [total, /: ([\d,]+) clicks/.exec(sentence)?.[1] ?? sentence];
}

/** Takes a picture of the page's full width, between two heights. */
async function shoot(page: Page, top: number, bottom: number): Promise<Buffer> {
  const width = page.viewportSize()?.width ?? 0;
  const clip = { x: 0, y: top, width, height: bottom - top };
  return await page.screenshot({ animations: 'disabled', fullPage: true, clip });
}

/** Opens a link's page in its own window, signed in and live. */
async function withLinkPage<T>(
  browser: Browser,
  linkUrl: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const { origin, pathname } = new URL(linkUrl);
  const context = await browser.newContext(options);
  try {
    context.setDefaultTimeout(timeoutMs);
    const page = await context.newPage();
    await page.goto(`${origin}/#/links${pathname}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.live-status.is-live').waitFor();
    await page.locator('.adds-up').waitFor();
    return await work(page);
  } finally {
    await context.close();
  }
}
