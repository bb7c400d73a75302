import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { type FakeService, startFakeService } from './fake-service/index.ts';

export let browser: Browser;
/** Each test's own service, without links. */
export let service: FakeService;

/** Starts a browser for a file's tests, and a fake service for each of them. */
export function useBrowserAndService(options?: Parameters<typeof launchBrowser>[0]): void {
  beforeAll(async () => {
    browser = await launchBrowser(options);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    service = await startFakeService();
    return () => service.stop();
  });
}
