import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { PageService } from './page-service.ts';

const reportRejections = `
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error('The policy rejected: ' + effectiveDirective + ' ' + blockedURI));
`;

/** Opens a tab with its own storage. `problems` are errors and violations of the content security policy. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  await context.addInitScript(reportRejections);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`${error}`));
  page.on('console', (message) => {
    // Browsers also log failed requests, some of which the tests cause.
    const isOfNetwork = /Failed to load resource|WebSocket connection/.test(message.text());
    if (message.type() === 'error' && !isOfNetwork) problems.push(message.text());
  });
  page[Symbol.asyncDispose] = () => context.close();
  return { page, problems };
}

export async function signIn(page: Page, { url }: Pick<PageService, 'url'>) {
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/**
 * Opens a view that the owner comes back to from the issuer. The issuer is asked without the browser, so
 * the page loads once.
 */
export async function openSignedIn(page: Page, service: PageService, hash = '') {
  const { address, state, stored } = await service.requestSignIn(hash);
  await page.addInitScript(`if (location.search.includes('${state}')) {
    sessionStorage.setItem(${JSON.stringify(stored.key)}, ${JSON.stringify(stored.value)});
  }`);
  const answer = await page.context().request.get(address);
  await page.goto(answer.url());
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Reads the page a second later by its own clock, which the test has installed. */
export async function readLater<Value>(page: Page, read: () => Promise<Value>): Promise<Value> {
  await page.clock.fastForward(1_000);
  return read();
}

/** The accessibility rules that the page breaks, with the elements at fault. */
export async function findBarriers(page: Page): Promise<string[]> {
  // The page's policy blocks script elements, but not the debugger.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'] });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** The number of pixels by which the content is wider than the window. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}

const looks = [
  { colorScheme: 'dark', width: 320 },
  { colorScheme: 'light', width: 1_280 },
] as const;

/**
 * The accessibility rules that a view breaks in dark colours on a small screen, and in light ones on a large
 * screen. It must fit both.
 */
export async function findBarriersOf(page: Page, view: string): Promise<string[]> {
  const barriers: string[] = [];
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => measureOverflow(page), { message: `${view}, ${width}` }).toBe(0);
    const found = await findBarriers(page);
    barriers.push(...found.map((barrier) => `${view}, ${colorScheme}: ${barrier}`));
  }
  return barriers;
}

/** The label or the text of the element with the focus. */
export function readFocus(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText');
}

/** The names and counts of a ranked list with this title, all of them. */
export async function readRanked(page: Page, title: string): Promise<string[][]> {
  const table = page.getByRole('table', { name: title, exact: true });
  await table.waitFor();
  const more = table.locator('xpath=..').getByRole('button', { name: 'more' });
  if ((await more.count()) > 0) await more.click();
  const rows = await table.locator('tbody tr').allInnerTexts();
  return rows.map((row) =>
    row
      .trim()
      .split(/\s*\t\s*/)
      .slice(0, 2),
  );
}
