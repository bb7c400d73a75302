import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { FakeService } from './fake-service/index.ts';

/** A tab, and what went wrong in it. */
export interface Tab {
  page: Page;
  /** Errors, and whatever the content security policy refused. */
  problems: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

const reportRefusals = `
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error('The policy refused: ' + effectiveDirective + ' ' + blockedURI));
`;

/** Opens a tab with storage of its own. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.addInitScript(reportRefusals);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`${error}`));
  page.on('console', (message) => {
    // A refused request is also logged; the tests make some of them fail.
    const isOfNetwork = /Failed to load resource|WebSocket connection/.test(message.text());
    if (message.type() === 'error' && !isOfNetwork) problems.push(message.text());
  });
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens the page and signs in. */
export async function signIn(page: Page, service: FakeService, hash = ''): Promise<void> {
  await page.goto(service.url + hash);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** The rules of accessibility that the page breaks, with the elements that break them. */
export async function findBarriers(page: Page): Promise<string[]> {
  // The page's policy refuses a script element, but not what the debugger evaluates.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** By how many pixels the content is wider than the window. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
