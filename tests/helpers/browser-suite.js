import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { openTab, signIn } from './browser-tab.ts';
import { startPageService } from './page-service.ts';
/** A file's service, which each test finds without links. */
export let service;
let browser;
let problems = [];
/** Starts a browser and the service for a file's tests, in which no page may report a problem. */
export function useBrowserAndService(options) {
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
export async function openBlank(options) {
    const tab = await openTab(browser, options);
    problems.push(tab.problems);
    return tab.page;
}
/** Signs in in a new tab, and returns to the view with this hash. */
export async function open(hash = '', options) {
    const page = await openBlank(options);
    await signIn(page, service, hash);
    return page;
}
