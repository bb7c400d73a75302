import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { useTestDir } from '../helpers/test-dir.ts';

useBrowserAndService();
const dir = useTestDir();

/** Presses a button, which may be in the list's menu. */
async function press(page: Page, name: string): Promise<void> {
  if (name === 'Import links' || name === links) {
    await page.getByRole('button', { name: 'Import, restore and more' }).press('Enter');
  }
  await page.getByRole('button', { name }).press('Enter');
}

async function download(page: Page, button: string): Promise<{ name: string; text: string }> {
  const event = page.waitForEvent('download');
  await press(page, button);
  const file = await event;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

const links = 'Download links (CSV)';

describe('a download', () => {
  test('has all links, also those that are not shown, in one file, and can be repeated if it fails', async () => {
    for (let index = 0; index < 230; index += 1) service.links.add(`link-${index}`);
    await using page = await open();
    await page.getByRole('link', { name: '/link-229' }).waitFor();
    service.api.failWith = 500;
    await press(page, links);
    await page.getByText("links.csv wasn't downloaded. Try again.").waitFor();
    service.api.failWith = undefined;

    const { name, text } = await download(page, links);

    const [header, ...lines] = text.trimEnd().split('\n');
    expect([name, header]).toEqual(['links.csv', expect.stringMatching(/^code,shortUrl,url,/)]);
    expect(lines.map((line) => line.split(',')[0])).toEqual(await service.links.codes());
    await page.getByText('Downloaded links.csv.').waitFor();
    expect(await page.getByText("wasn't downloaded").count()).toBe(0);
  });

  test("has a link's clicks of its range, each day as CSV or in sum as JSON", async () => {
    service.links.add('docs');
    service.links.count('docs', 10, ['vh', 'dm', 'rd', 'h09'], 100);
    service.links.count('docs', 5, ['vb', 'do', 'rd', 'h09']);
    await using page = await open('#/links/docs?range=7d');
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
});

describe('an import', () => {
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://example.com/${index}\n`).join('');
  async function writeCsv(content: string | Buffer) {
    const file = path.join(dir.path, 'links.csv');
    await writeFile(file, content);
    return file;
  }

  async function importCsv(page: Page, content: string | Buffer) {
    if (!(await page.locator('.drop').isVisible())) await press(page, 'Import links');
    await page.getByLabel('CSV file').setInputFiles(await writeCsv(content));
    await start(page);
  }

  /** Confirms the rows that were found, unless the file has a fault. */
  async function start(page: Page) {
    const button = page.getByRole('button', { name: /^Import [\d,]+ rows?$/ });
    await button.or(page.locator('.import .is-problem')).first().waitFor();
    if (await button.isVisible()) await button.press('Enter');
  }

  test('creates a link for each row once, although it is interrupted, repeated and stopped by the daily limit', async () => {
    await using page = await open();
    await page.getByText("You don't have any links yet.").waitFor();
    service.api.failWith = 503;
    await importCsv(page, `url\n${rowsOf(120)}`);
    await page.getByText('No row is imported twice.').waitFor();
    service.api.failWith = undefined;

    await importCsv(page, `url\n${rowsOf(120)}`);
    await page.getByText('120 links created, 0 already existed, 0 rows refused.').waitFor();
    const { name, text } = await download(page, 'Download results (CSV)');
    service.links.limitTo(5);
    await importCsv(page, `url\n${rowsOf(130)}`);
    await page.getByText('5 links created, 120 already existed, 0 rows refused.').waitFor();

    const daily = "You've reached your daily limit. For the other 5 rows, import the file again";
    await page.getByText(`${daily} tomorrow (UTC).`).waitFor();
    expect(await service.links.codes()).toHaveLength(125);
    const [header, first, ...others] = text.trimEnd().split('\n');
    expect([name, header]).toEqual(['links.result.csv', 'line,url,code,shortUrl,outcome,message']);
    expect(first).toMatch(/^2,https:\/\/example.com\/0,[\w-]+,http:\/\/localhost.*,created,$/);
    expect(others).toHaveLength(119);
    await page.getByText('clicks counted on 125 links').waitFor();
  });

  test('reports bad rows with their lines, and imports the others', async () => {
    await using page = await open();

    await importCsv(
      page,
      '\ufeffURL,Slug,Expiresat,Colour\r\nhttps://example.com/a,good,,A\n=1+1,,\r\n"https://example.com/""b""",good,\rhttps://example.com/c,,2020-01-01T00:00:00Z\r\n',
    );

    await page.getByText('1 link created, 0 already existed, 3 rows refused.').waitFor();
    await page.getByText("These columns aren't imported: Colour.").waitFor();
    expect(await page.locator('.refusals li').allInnerTexts()).toEqual([
      'Line 3: Enter a web address, such as https://example.com/page.',
      'Line 4: The code good is taken. Choose another one, or leave it out.',
      'Line 5: Enter a time in the future.',
    ]);
    const { text } = await download(page, 'Download results (CSV)');
    expect(text).toContain("3,'=1+1,,,refused,");
    expect(await service.links.codes()).toEqual(['good']);
  });

  test('of another service shows what it understood, and creates nothing before that is confirmed', async () => {
    await using page = await open();
    await press(page, 'Import links');
    const header = '"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"';
    const note = '61 clicks at Shlink, created 2024-08-15';
    const row =
      '"2024-08-15","s.example","9r2TW","https://s.example/9r2TW","https://example.com/a"';
    const csv = Buffer.from(`\ufeff${header}\n${row},"Été","sale|b c",61\n`, 'utf16le');

    await page.getByLabel('CSV file').setInputFiles(await writeCsv(csv));

    const cells = page.getByRole('table', { name: 'First rows' }).getByRole('cell');
    await expect
      .poll(async () => (await cells.allInnerTexts()).filter((text) => text !== '–'))
      .toEqual(['9r2TW', 'https://example.com/a', 'Été', note, 'sale, b c']);
    await page.getByText('An export of Shlink: shortCode is the code').waitFor();
    await page.getByText("aren't imported: domain, shortUrl.").waitFor();
    expect(await service.links.codes()).toEqual([]);
    await start(page);

    await page.getByText('1 link created').waitFor();
    expect(await service.links.read('9r2TW')).toMatchObject({
      ...{ url: 'https://example.com/a', title: 'Été', tags: ['sale', 'b c'], note, clicks: 0 },
    });
  });

  test('of a file with a fault says what is wrong, and imports nothing', async () => {
    const files = [
      [Buffer.from('url\nhttps://example.com/é\n', 'latin1'), 'Save it as UTF-8.'],
      [`url\n"https://example.com/\n${'x\n'.repeat(40_000)}`, "isn't CSV"],
      ['x'.repeat(6_000_000), 'at most 5 MB; got 6 MB. Split it.'],
      ['', 'links.csv is empty.'],
    ] as const;
    await using page = await open();

    for (const [content, message] of files) {
      await importCsv(page, content);
      await page.getByText(message).waitFor();
    }

    expect(service.api.requests).not.toContain('POST /links/import');
  });

  test('takes a file that is dropped, and identifies a row as the command does', async () => {
    await using page = await open();
    await press(page, 'Import links');
    const request = page.waitForRequest('**/links/import');

    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['url\\nhttps://example.com/é\\n'], 'dropped.csv'));
      return data;
    })()`);
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data });
    await start(page);

    const hash = createHash('sha256').update('["https://example.com/é",null,null] 0');
    const link = { key: hash.digest('base64url'), url: 'https://example.com/é' };
    expect((await request).postDataJSON().links).toEqual([link]);
    await page.getByText('1 link created').waitFor();
  });

  test('takes a file that is chosen with the keyboard, and shows its progress, also after another view', async () => {
    service.links.add('docs');
    await using page = await open();
    const release = Promise.withResolvers<void>();
    let calls = 0;
    await page.route('**/links/import', async (route) => {
      calls += 1;
      if (calls === 2) await release.promise;
      await route.continue();
    });
    await press(page, 'Import links');
    const chooser = page.waitForEvent('filechooser');
    await press(page, 'Choose a file');

    await (await chooser).setFiles(await writeCsv(`url\n${rowsOf(150)}`));
    await start(page);
    await page.getByText('100 of 150 rows').waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('100');
    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByRole('link', { name: '‹ Your links' }).click();
    await page.getByText('100 of 150 rows').waitFor();
    release.resolve();

    await page.getByText('150 links created').waitFor();
  });
});
