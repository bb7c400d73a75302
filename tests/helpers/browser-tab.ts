import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { PageService } from './page-service.ts';

export interface Tab {
  page: Page;
  /** Errors and violations of the content security policy. */
  problems: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

const reportRefusals = `
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    console.error('The policy refused: ' + effectiveDirective + ' ' + blockedURI));
`;

/** Opens a tab with its own storage. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.addInitScript(reportRefusals);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`${error}`));
  page.on('console', (message) => {
    // Browsers also log failed requests, some of which the tests cause.
    const isOfNetwork = /Failed to load resource|WebSocket connection/.test(message.text());
    if (message.type() === 'error' && !isOfNetwork) problems.push(message.text());
  });
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

export async function signIn(page: Page, service: PageService, hash = ''): Promise<void> {
  await page.goto(service.url + hash);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** The accessibility rules that the page breaks, with the elements at fault. */
export async function findBarriers(page: Page): Promise<string[]> {
  // The page's policy blocks script elements, but not the debugger.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** The number of pixels by which the content is wider than the window. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
