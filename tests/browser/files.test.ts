import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { findBarriers, measureOverflow, openTab, signIn } from '../helpers/browser-tab.ts';
import { type FakeService, startFakeService } from '../helpers/fake-service/index.ts';

let browser: Browser;
let service: FakeService;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

beforeEach(async () => {
  service = await startFakeService();
  return () => service.stop();
});

async function download(page: Page, button: string): Promise<{ name: string; text: string }> {
  const event = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).press('Enter');
  const file = await event;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

describe('a download', () => {
  test('has all links, also those that are not shown, in one file', async () => {
    for (let index = 0; index < 230; index += 1) service.links.add(`link-${index}`);
    await using tab = await openTab(browser);
    await signIn(tab.page, service);

    const { name, text } = await download(tab.page, 'Download links (CSV)');

    const [header, ...lines] = text.trimEnd().split('\n');
    expect([name, header]).toEqual([
      'links.csv',
      'code,shortUrl,url,createdAt,expiresAt,disabled,clicks',
    ]);
    expect(lines.map((line) => line.split(',')[0])).toEqual(service.links.codes());
    await tab.page.getByText('Downloaded links.csv.').waitFor();
    expect(tab.problems).toEqual([]);
  });

  test("has a link's clicks of all days, which sum to the total", async () => {
    service.links.add('docs');
    service.links.count('docs', 10, ['vh', 'dm', 'rd', 'h09'], 100);
    service.links.count('docs', 5, ['vb', 'do', 'rd', 'h09']);
    await using tab = await openTab(browser);
    await signIn(tab.page, service, '#/links/docs');

    const { name, text } = await download(tab.page, 'Download statistics (CSV)');

    expect(name).toBe('docs.csv');
    expect(text).toMatch(/^date,clicks,.*\n[-\d]+,10,.*\n[-\d]+,5,.*\n$/);
  });

  test('that fails says so, and can be repeated', async () => {
    service.links.add('docs');
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    service.api.failWith = 500;
    await tab.page.getByRole('button', { name: 'Download links (CSV)' }).click();
    await tab.page.getByText("links.csv wasn't downloaded. Try again.").waitFor();

    service.api.failWith = undefined;
    const { text } = await download(tab.page, 'Download links (CSV)');

    expect(text).toContain('\ndocs,');
    expect(await tab.page.getByText("wasn't downloaded").count()).toBe(0);
  });
});

test.each([
  ['light', 1280],
  ['dark', 360],
] as const)(
  'the buttons for files are accessible in %s colours at %d',
  async (colorScheme, width) => {
    service.links.add('docs');
    service.links.count('docs', 10, ['vh', 'dm', 'rd', 'h09']);
    await using tab = await openTab(browser, { colorScheme, viewport: { width, height: 800 } });
    const { page, problems } = tab;
    await signIn(page, service);
    for (const button of ['Download links (CSV)', 'Download statistics (CSV)']) {
      await page.getByRole('button', { name: button }).waitFor();
      expect([await measureOverflow(page), await findBarriers(page)]).toEqual([0, []]);
      await page.goto(`${service.url}#/links/docs`);
    }
    expect(problems).toEqual([]);
  },
);
