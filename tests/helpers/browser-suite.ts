import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { openSignedIn, openTab } from './browser-tab.ts';
import { type PageService, startPageService } from './page-service.ts';

/** A file's service, which each test finds without links. */
export let service: PageService;
let browser: Browser;
let problems: string[][] = [];

/** Starts a browser and the service for a file's tests, in which no page may report a problem. */
export function useBrowserAndService(options?: Parameters<typeof launchBrowser>[0]): void {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(options), startPageService()]);
  });
  afterAll(() => Promise.all([browser.close(), service.stop()]));
  beforeEach(() => service.empty());
  afterEach(() => {
    const found = problems.flat();
    problems = [];
    expect(found).toEqual([]);
  });
}

/** Opens a tab with its own storage. */
export async function openBlank(options?: BrowserContextOptions): Promise<Page> {
  const tab = await openTab(browser, options);
  problems.push(tab.problems);
  return tab.page;
}

/** Opens the view with this hash in a new tab, signed in. */
export async function open(hash = '', options?: BrowserContextOptions): Promise<Page> {
  const page = await openBlank(options);
  await openSignedIn(page, service, hash);
  return page;
}
