import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browser, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { findBarriers, measureOverflow, openTab, signIn } from '../helpers/browser-tab.ts';
import { useTestDir } from '../helpers/test-dir.ts';

useBrowserAndService();
const dir = useTestDir();

async function download(page: Page, button: string): Promise<{ name: string; text: string }> {
  const event = page.waitForEvent('download');
  await press(page, button);
  const file = await event;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

/** Presses a button, which may be in the list's menu. */
async function press(page: Page, name: string): Promise<void> {
  if (name === 'Import links' || name === links) {
    await page.getByRole('button', { name: 'Import and download' }).press('Enter');
  }
  await page.getByRole('button', { name }).press('Enter');
}

const links = 'Download links (CSV)';

describe('a download', () => {
  test('has all links, also those that are not shown, in one file', async () => {
    for (let index = 0; index < 230; index += 1) service.links.add(`link-${index}`);
    await using tab = await openTab(browser);
    await signIn(tab.page, service);

    const { name, text } = await download(tab.page, links);

    const [header, ...lines] = text.trimEnd().split('\n');
    expect([name, header]).toEqual([
      'links.csv',
      'code,shortUrl,url,createdAt,expiresAt,disabled,clicks,clicks by people,clicks by bots',
    ]);
    expect(lines.map((line) => line.split(',')[0])).toEqual(await service.links.codes());
    await tab.page.getByText('Downloaded links.csv.').waitFor();
    expect(tab.problems).toEqual([]);
  });

  test("has a link's clicks of its range, each day as CSV or in sum as JSON", async () => {
    service.links.add('docs');
    service.links.count('docs', 10, ['vh', 'dm', 'rd', 'h09'], 100);
    service.links.count('docs', 5, ['vb', 'do', 'rd', 'h09']);
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service, '#/links/docs?range=7d');
    await page.getByRole('table', { name: 'Devices' }).waitFor();
    const today = new Date().toISOString().slice(0, 10);

    const csv = await download(page, 'Each day as CSV');
    const json = await download(page, 'Sums as JSON');
    await page.getByText('All', { exact: true }).click();
    await page.getByText('Clicks by day').waitFor();
    await expect.poll(() => page.locator('.figures').innerText()).toMatch(/^Clicks\s+15/);
    const all = await download(page, 'Each day as CSV');

    expect(csv.name).toMatch(new RegExp(`^docs [-\\d]{10} to ${today}\\.csv$`));
    expect(csv.text).toMatch(/^date,clicks,.*\n[-\d]+,5,.*\n$/);
    expect(JSON.parse(json.text).days).toEqual([{ date: today, count: 5, people: 0, bots: 5 }]);
    expect(all.text).toMatch(/^date,clicks,.*\n[-\d]+,10,.*\n[-\d]+,5,.*\n$/);
  });

  test('that fails says so, and can be repeated', async () => {
    service.links.add('docs');
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    await tab.page.getByRole('link', { name: '/docs' }).waitFor();
    service.api.failWith = 500;
    await press(tab.page, links);
    await tab.page.getByText("links.csv wasn't downloaded. Try again.").waitFor();

    service.api.failWith = undefined;
    const { text } = await download(tab.page, links);

    expect(text).toContain('\ndocs,');
    expect(await tab.page.getByText("wasn't downloaded").count()).toBe(0);
  });
});

describe('an import', () => {
  const rowsOf = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => `https://example.com/${from + index}\n`).join('');

  async function importCsv(page: Page, content: string | Buffer) {
    const file = path.join(dir.path, 'links.csv');
    await writeFile(file, content);
    await openImport(page);
    await page.getByLabel('CSV file').setInputFiles(file);
  }

  test('creates a link for each row once, however often it runs, and returns the short links', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    await page.getByText("You don't have any links yet.").waitFor();

    await importCsv(page, `url\n${rowsOf(250)}`);
    await page.getByText('250 links created, 0 already existed, 0 rows refused.').waitFor();
    const { name, text } = await download(page, 'Download results (CSV)');
    await importCsv(page, `url\n${rowsOf(260)}`);
    await page.getByText('10 links created, 250 already existed, 0 rows refused.').waitFor();

    expect(await service.links.codes()).toHaveLength(260);
    const [header, first, ...others] = text.trimEnd().split('\n');
    expect([name, header]).toEqual(['links.result.csv', 'line,url,code,shortUrl,outcome,message']);
    expect(first).toMatch(/^2,https:\/\/example.com\/0,[\w-]+,http:\/\/127.*,created,$/);
    expect(others).toHaveLength(249);
    await page.getByText('clicks counted on 260 links').waitFor();
    expect(tab.problems).toEqual([]);
  });

  test('reports bad rows with their lines, and imports the others', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);

    await importCsv(
      page,
      '\ufeffURL,Slug,Expiresat,Title\r\nhttps://example.com/a,good,,A\n=1+1,,\r\n"https://example.com/""b""",good,\rhttps://example.com/c,,2020-01-01T00:00:00Z\r\n',
    );

    await page.getByText('1 link created, 0 already existed, 3 rows refused.').waitFor();
    await page.getByText("These columns aren't imported: Title.").waitFor();
    expect(await page.locator('.refusals li').allInnerTexts()).toEqual([
      'Line 3: Enter a web address, such as https://example.com/page.',
      'Line 4: The code good is taken. Choose another one, or leave it out.',
      'Line 5: Enter a time in the future.',
    ]);
    const { text } = await download(page, 'Download results (CSV)');
    expect(text).toContain("3,'=1+1,,,refused,");
    expect(await service.links.codes()).toEqual(['good']);
  });

  test('stops at the daily limit and says how to continue', async () => {
    service.links.limitTo(130);
    await using tab = await openTab(browser);
    await signIn(tab.page, service);

    await importCsv(tab.page, `url\n${rowsOf(450)}`);

    await tab.page
      .getByText(
        "You've reached your daily limit. For the other 320 rows, import the file again tomorrow (UTC).",
      )
      .waitFor();
    await tab.page.getByText('130 links created').waitFor();
    expect(await service.links.codes()).toHaveLength(130);
  });

  test('that is interrupted continues', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    service.api.failWith = 503;
    await importCsv(page, `url\n${rowsOf(120)}`);
    await page.getByText('No row is imported twice.').waitFor();
    service.api.failWith = undefined;

    await importCsv(page, `url\n${rowsOf(120)}`);

    await page.getByText('120 links created').waitFor();
  });

  test.each([
    ['in Latin-1', Buffer.from('url\nhttps://example.com/é\n', 'latin1'), 'Save it as UTF-8.'],
    ['with an open quote', `url\n"https://example.com/\n${'x\n'.repeat(40_000)}`, "isn't CSV"],
    ['that is too large', 'x'.repeat(6_000_000), 'at most 5 MB; got 6 MB. Split it.'],
    ['with too many rows', `url\n${'a\n'.repeat(2_400_000)}`, 'at most 100000 rows; got more.'],
    ['without a byte', '', 'links.csv is empty.'],
  ])('of a file %s says what is wrong, and imports nothing', async (_, content, message) => {
    await using tab = await openTab(browser);
    await signIn(tab.page, service);

    await importCsv(tab.page, content);

    await tab.page.getByText(message).waitFor();
    expect(service.api.requests).not.toContain('POST /links/import');
    expect(tab.problems).toEqual([]);
  });

  test('identifies a row as the command does, so each finds the links of the other', async () => {
    await using tab = await openTab(browser);
    await signIn(tab.page, service);
    const request = tab.page.waitForRequest('**/links/import');

    await importCsv(tab.page, 'url\nhttps://example.com/é\n');

    const hash = createHash('sha256').update('["https://example.com/é",null,null] 0');
    expect((await request).postDataJSON().links).toEqual([
      { key: hash.digest('base64url'), url: 'https://example.com/é' },
    ]);
  });

  test('takes a file that is dropped', async () => {
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    await openImport(page);

    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['url\\nhttps://example.com/'], 'dropped.csv'));
      return data;
    })()`);
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data });

    await page.getByText('1 link created').waitFor();
  });

  test('shows its progress, also when the viewer returns from another view', async () => {
    service.links.add('docs');
    await using tab = await openTab(browser);
    const { page } = tab;
    await signIn(page, service);
    const release = Promise.withResolvers<void>();
    let calls = 0;
    await page.route('**/links/import', async (route) => {
      calls += 1;
      if (calls === 2) await release.promise;
      await route.continue();
    });

    await importCsv(page, `url\n${rowsOf(150)}`);
    await page.getByText('100 of 150 rows').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('100');
    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByRole('link', { name: '‹ Your links' }).click();
    await page.getByText('100 of 150 rows').waitFor();
    release.resolve();

    await page.getByText('150 links created').waitFor();
  });

  test.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)(
    'is accessible in %s colours at %d, with the keyboard',
    async (colorScheme, width) => {
      await using tab = await openTab(browser, { colorScheme, viewport: { width, height: 800 } });
      const { page } = tab;
      await signIn(page, service);
      await press(page, 'Import links');
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).press('Enter');
      const buffer = Buffer.from('url\nexample\nhttps://example.com/a\n');
      await (await chooser).setFiles({ name: 'links.csv', mimeType: 'text/csv', buffer });
      await page.getByText('Line 2:').waitFor();

      expect([await measureOverflow(page), await findBarriers(page)]).toEqual([0, []]);
    },
  );
});

async function openImport(page: Page): Promise<void> {
  if (await page.locator('.drop').isVisible()) return;
  await press(page, 'Import links');
}
