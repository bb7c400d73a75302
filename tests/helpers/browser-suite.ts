import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { type PageService, startPageService } from './page-service.ts';

export let browser: Browser;
/** A file's service, which each test finds without links. */
export let service: PageService;

/** Starts a browser and the service for a file's tests. */
export function useBrowserAndService(options?: Parameters<typeof launchBrowser>[0]): void {
  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(options), startPageService()]);
  });
  afterAll(() => Promise.all([browser.close(), service.stop()]));
  beforeEach(() => service.empty());
}
