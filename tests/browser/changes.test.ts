import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { open, openBlank, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import {
  findBarriers,
  measureOverflow,
  openSignedIn,
  readFocus,
  readLater,
} from '../helpers/browser-tab.ts';

const clipboard = { permissions: ['clipboard-write', 'clipboard-read'] };
const inBerlin = { ...clipboard, timezoneId: 'Europe/Berlin' };
const nextYear = new Date().getUTCFullYear() + 1;
// 18:00 in Berlin, where summer time is two hours ahead of UTC.
const expiresAt = `${nextYear}-05-26T16:00:00.000Z`;
const listMenu = 'Import, restore and more';
const docsUrl = 'https://docs.example.com/getting-started';

useBrowserAndService();

beforeEach(() => service.links.add('docs', docsUrl));

const codesOf = (page: Page) => page.locator('.link-row .short-code').allInnerTexts();
const describeBadge = (page: Page) => page.locator('.badge').allInnerTexts();
const readClipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()');
const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).press('Enter');
async function pressAndSee(page: Page, name: string, text: string): Promise<void> {
  await press(page, name);
  await page.getByText(text).waitFor();
}

/** Presses a button that may be in a menu. */
async function pressIn(menuName: string, page: Page, name: string) {
  const menu = page.getByRole('button', { name: menuName });
  const button = page.getByRole('button', { name, exact: true });
  await menu.or(button).first().waitFor();
  if (await menu.isVisible()) await menu.press('Enter');
  await button.press('Enter');
}

const pressInList = (page: Page, name: string) => pressIn(listMenu, page, name);
const pressForDocs = (page: Page, name: string) => pressIn('More actions for docs', page, name);

async function openEdit(page: Page) {
  await pressForDocs(page, 'Edit');
  const dialog = page.getByRole('dialog');
  return {
    url: dialog.getByLabel('Destination'),
    query: dialog.getByLabel("Add the visitor's query"),
    expires: dialog.getByLabel('The link expires'),
    expiry: dialog.getByLabel('Expires on (Europe/Berlin time)'),
  };
}

test('links are created, copied, disabled and opened with the keyboard only, which keeps the focus', async () => {
  await using page = await open('', clipboard);
  await page.getByText('docs').first().waitFor();
  const pressOn = async (name: string) => {
    for (let presses = 0; (await readFocus(page)) !== name; presses += 1) {
      if (presses === 100) throw new Error(`expected the keyboard to reach ${name}`);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
  };

  await pressOn('New link');
  await page.keyboard.type('https://example.com/autumn');
  await page.keyboard.press('Tab');
  await page.keyboard.type('autumn');
  await page.keyboard.press('Enter');
  await page.getByText('Your link is ready').waitFor();
  await pressOn(`Copy ${service.url}autumn`);
  await pressOn('Done');
  expect(await readFocus(page)).toBe('New link');
  await pressOn('More actions for autumn');
  await pressOn('QR code');
  await page.getByRole('img', { name: `Leads to ${service.url}autumn` }).waitFor();
  await page.keyboard.press('Escape');
  await pressOn('More actions for autumn');
  await page.keyboard.press('Escape');
  await expect.poll(() => readFocus(page)).toBe('More actions for autumn');
  await pressOn('More actions for autumn');
  await pressOn('Disable');
  await page.getByText('Disabled', { exact: true }).waitFor();
  expect(await readFocus(page)).toBe('More actions for autumn');
  await page.getByLabel('Search').focus();
  await pressOn(`${new URL(service.url).host}/autumn`);

  await page.getByRole('heading', { name: 'autumn' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
  const { disabled, forwardQuery } = (await service.links.read('autumn')) ?? {};
  expect(disabled).toBe(true);
  expect(forwardQuery).toBeUndefined();
  expect(await readClipboard(page)).toBe(`${service.url}autumn`);
  await page.getByRole('button', { name: 'Enable' }).waitFor();
  await pressOn('Enable');
  await page.getByRole('button', { name: 'Disable' }).waitFor();
  expect(await readFocus(page)).toBe('Disable');
  expect(await describeBadge(page)).toEqual([]);
  expect((await service.links.read('autumn'))?.disabled).toBeUndefined();
  await page.getByRole('link', { name: 'Your links' }).last().press('Enter');
  await expect.poll(() => readFocus(page)).toBe('Your links');
});

test('a link is created once, although all responses to the first press are lost', async () => {
  await using page = await openBlank(inBerlin);
  await page.clock.install();
  await openSignedIn(page, service);
  const create = async (text: string) => {
    await press(page, 'Create link');
    await expect.poll(() => readLater(page, () => page.getByText(text).isVisible())).toBe(true);
  };
  const [title, tags] = ['Title', 'Tags'].map((name) => page.getByRole('textbox', { name }));
  await press(page, 'New link');
  await page.getByLabel('Destination').fill('example.com/summer');
  await page.getByLabel('Code (optional)').fill('summer');
  await page.getByLabel("Add the visitor's query").check();
  await page.getByLabel('The link expires').check();
  await title?.fill('Summer\u202e Sale');
  await tags?.fill(`${'x'.repeat(51)}, News`);
  await create('Enter a date and a time, or untick the box above.');
  await page.getByLabel('Expires on (Europe/Berlin time)').fill(`${nextYear}-05-26T18:00`);
  await create('Shorten the tag: 50 characters are the maximum.');
  await tags?.fill('Sale; News,news');
  let requests = 0;
  await page.route('**/links', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    requests += 1;
    if (requests > 3) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await create("The service didn't confirm it, so we don't know yet");
  expect(requests).toBe(3);
  service.api.failWith = 429;
  await create('Too Many');
  service.api.failWith = undefined;

  await create('Your link is ready');

  await page.keyboard.press('Enter');
  await expect.poll(() => readClipboard(page)).toBe(`${service.url}summer`);
  expect(requests).toBe(5);
  expect(await service.links.codes()).toEqual(['summer', 'docs']);
  const texts = { title: 'Summer Sale', tags: ['sale', 'news'] };
  const summer = { ...texts, url: 'https://example.com/summer', expiresAt, forwardQuery: true };
  expect(await service.links.read('summer')).toMatchObject(summer);
});

test('a tag and a search lead to the links that have them, also after a reload and a visit to one of them', async () => {
  service.links.add('other');
  service.links.update('docs', { title: 'Spring Sale', tags: ['sale', 'news'] });
  service.links.update('other', { title: 'Other', tags: ['news'] });
  service.links.add('third');
  await using page = await open('', inBerlin);
  const search = page.getByLabel('Search links');
  await search.fill('spring sale');
  await expect.poll(() => codesOf(page)).toEqual(['docs']);
  await search.fill('NEWS');
  await expect.poll(() => codesOf(page)).toEqual(['other', 'docs']);
  await expect.poll(() => page.evaluate('location.hash')).toBe('#/?q=NEWS');
  await page.reload();
  await expect.poll(() => codesOf(page)).toEqual(['other', 'docs']);
  await search.fill(`${service.url}other?utm_source=a`);
  await expect.poll(() => codesOf(page)).toEqual(['other']);
  await page.getByRole('link', { name: '/other' }).click();
  await page.getByText('‹ Your links').click();
  await expect.poll(() => codesOf(page)).toEqual(['other']);
  await search.fill('');

  await page.getByRole('link', { name: 'news' }).first().press('Enter');
  await page.getByText('2 of 3 links found.').waitFor();
  await page.reload();
  await expect.poll(() => codesOf(page)).toEqual(['other', 'docs']);
  await page.getByRole('link', { name: '/docs' }).click();
  await page.getByRole('heading', { name: 'docs' }).waitFor();
  await openEdit(page);
  await page.getByRole('textbox', { name: 'Title' }).fill('');
  await page.getByRole('textbox', { name: 'Tags' }).fill('');
  await pressAndSee(page, 'Save', 'Saved.');
  expect(await page.locator('.title, .tag').count()).toBe(0);
  await page.getByText('‹ Your links').click();
  await expect.poll(() => codesOf(page)).toEqual(['other', 'docs']);
  await page.getByRole('link', { name: 'Show all links' }).press('Enter');

  await expect.poll(() => codesOf(page)).toEqual(['third', 'other', 'docs']);
  const docs = (await service.links.read('docs')) ?? {};
  expect(docs.title).toBeUndefined();
  expect(docs.tags).toBeUndefined();
});

describe('an edit', () => {
  test('that is wrong or too late says why beside the field, and then changes the list and the page', async () => {
    await using page = await open('', inBerlin);
    let form = await openEdit(page);
    const focusedName = () => page.evaluate('document.activeElement.name');
    const saveAndRead = (text: string) => pressAndSee(page, 'Save', text);
    expect(await form.expires.isChecked()).toBe(false);
    expect(await form.expiry.isVisible()).toBe(false);

    await form.expires.check();
    await saveAndRead('Enter a date and a time, or untick the box above.');
    await form.expiry.fill('2020-05-26T18:00');
    await saveAndRead('Enter a time in the future.');
    expect(await focusedName()).toBe('expiresAt');
    await form.expiry.fill(`${nextYear}-05-26T18:00`);
    await form.url.fill('https://localhost/');
    await saveAndRead('Enter an address on the public internet.');
    expect(await focusedName()).toBe('url');
    await form.url.fill('example.com/spring');
    await form.query.check();
    service.api.failWith = 500;
    await saveAndRead("we don't know yet whether your changes were saved. Try again.");
    service.api.failWith = undefined;
    expect((await service.links.read('docs'))?.url).toBe(docsUrl);
    await saveAndRead('Saved. Visitors see the change within 30 seconds.');

    const url = 'https://example.com/spring';
    expect(await service.links.read('docs')).toMatchObject({ url, expiresAt, forwardQuery: true });
    expect(await describeBadge(page)).toEqual([`Expires 26 May ${nextYear}, 18:00`]);
    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByRole('link', { name: 'example.com/spring' }).waitFor();
    expect(await describeBadge(page)).toEqual([`Expires 26 May ${nextYear}, 18:00`]);

    form = await openEdit(page);
    const other = 'https://example.com/other';
    const later = `${nextYear}-06-01T12:00`;
    service.links.update('docs', { url: other });
    // What was typed and undone isn't a change.
    await form.url.fill(other);
    await form.url.fill(url);
    await form.expiry.fill(later);
    await form.query.uncheck();
    await saveAndRead('has changed in the meantime');
    await page.getByText(`Now: ${other}`).waitFor();
    await page.getByText(`Now: 26 May ${nextYear}, 18:00`).waitFor();
    expect(await form.url.inputValue()).toEqual(other);
    expect(await form.expiry.inputValue()).toEqual(later);
    expect((await service.links.read('docs'))?.expiresAt).toBe(expiresAt);
    await saveAndRead('Saved.');
    const replaced = await service.links.read('docs');
    expect(replaced).toMatchObject({ url: other, expiresAt: `${nextYear}-06-01T10:00:00.000Z` });
    expect(replaced?.forwardQuery).toBeUndefined();
  });

  test('with the keyboard ends at its button, keeps a past expiry, and can revive the link', async () => {
    const expired = '2026-01-02T03:04:05.678Z';
    service.links.update('docs', { expiresAt: expired });
    await using page = await open('#/links/docs', inBerlin);
    const typeUrl = async (url: string) => {
      await page.getByRole('button', { name: 'Edit' }).press('Enter');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(url);
    };
    await page.getByText('No clicks yet').waitFor();
    expect(await page.getByText('Share the short link.').count()).toBe(0);
    expect(await describeBadge(page)).toEqual(['Expired']);

    const left = 'https://example.com/left';
    for (const leave of [() => page.keyboard.press('Escape'), () => press(page, 'Cancel')]) {
      await typeUrl(left);
      await leave();
      await expect.poll(() => readFocus(page)).toBe('Keep editing');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
      expect(await page.getByLabel('Destination').inputValue()).toBe(left);
      await leave();
      await press(page, 'Discard');
      await expect.poll(() => readFocus(page)).toBe('Edit');
      await expect.poll(() => page.locator('dialog').count()).toBe(0);
    }
    expect(service.api.requests.filter((call) => call.startsWith('PATCH'))).toEqual([]);
    await typeUrl('https://example.com/typed');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    expect(await readFocus(page)).toBe('Edit');
    const edited = { url: 'https://example.com/typed', expiresAt: expired };
    expect(await service.links.read('docs')).toMatchObject(edited);
    await (await openEdit(page)).expires.uncheck();
    await press(page, 'Save');

    await expect.poll(() => describeBadge(page)).toEqual([]);
    expect((await service.links.read('docs'))?.expiresAt).toBeUndefined();
  });
});

test('a search that finds nothing can be cleared, or followed by the link that was searched', async () => {
  await using page = await open();
  const search = page.getByLabel('Search links');
  const wait = () => page.getByRole('heading', { name: 'No link is found.' }).waitFor();

  await search.fill('winter');
  await wait();
  await press(page, 'Show all links');
  await page.getByRole('link', { name: '/docs' }).waitFor();
  expect(await search.inputValue()).toBe('');
  expect(await readFocus(page)).toBe('Search links');
  await search.fill('winter');
  await press(page, 'Create winter');
  expect(await page.getByLabel('Code').inputValue()).toBe('winter');
  await page.keyboard.press('Escape');
  // A dialog's end is announced with the next frame.
  await page.getByRole('dialog', { includeHidden: true }).waitFor({ state: 'detached' });
  await search.fill('example.org/snow?deep=yes');
  await press(page, 'Create a link to this address');
  await press(page, 'Create link');
  await page.getByText('Your link is ready').waitFor();
  const [code = ''] = await service.links.codes();
  expect((await service.links.read(code))?.url).toBe('https://example.org/snow?deep=yes');
  await press(page, 'Done');
  await search.fill('no such link');
  await wait();
  expect(await page.getByRole('button', { name: /^Create/ }).count()).toBe(0);
});

test('a panel takes the focus from the menu, and gives it back', async () => {
  await using page = await open();
  const menu = page.getByRole('button', { name: 'Import, restore and more' });

  for (const name of ['Import links', 'Deleted links']) {
    await menu.press('Enter');
    await page.getByRole('button', { name, exact: true }).press('Enter');
    await expect.poll(() => readFocus(page)).toBe(name);
    await page.keyboard.press('Tab');
    expect(await readFocus(page)).toBe('Close');
    await page.keyboard.press('Enter');
    await expect.poll(() => readFocus(page)).toBe('Import, restore and more');
  }
});

test('a link’s page says when it was created and changed, and why visitors aren’t redirected', async () => {
  service.links.update('docs', { createdAt: '2026-05-26T16:00:00.000Z' });
  await using page = await open('#/links/docs', inBerlin);
  const facts = page.locator('.link-facts');

  await facts.getByText('Created 26 May 2026, 18:00', { exact: true }).waitFor();
  await press(page, 'Disable');
  await page.getByText('You disabled this link.').waitFor();
  await facts
    .getByText(/^Created 26 May 2026, 18:00 · last changed by you \d+ \w+ \d{4}, /)
    .waitFor();
  await press(page, 'Enable');
  await expect.poll(() => page.getByText('You disabled this link.').count()).toBe(0);
  service.links.update('docs', { expiresAt: '2026-05-27T16:00:00.000Z' });
  await page.reload();
  await page.getByText('This link expired on 27 May 2026, 18:00.').waitFor();
});

test('a link is deleted, undone, restored from the list, and deleted on its own page', async () => {
  service.links.add('blog');
  service.links.count('docs', 3, ['vh']);
  await using page = await open();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' });

  await pressForDocs(page, 'Delete');
  await confirm.click();
  await page.getByText('docs is deleted. You can restore it for 90 days.').waitFor();
  expect(await codesOf(page)).toEqual(['blog']);
  await expect.poll(() => readFocus(page)).toBe('Undo');
  expect((await service.links.read('docs'))?.deletedAt).toBeDefined();
  await pressInList(page, 'Deleted links');
  await page.getByText('3 clicks · deleted').waitFor();
  await press(page, 'Undo');
  await expect.poll(() => codesOf(page)).toHaveLength(2);
  await page.getByText('There are none.').waitFor();

  await page.getByRole('link', { name: '/docs' }).click();
  await page.getByRole('heading', { name: 'docs' }).waitFor();
  await pressForDocs(page, 'Delete');
  service.api.failWith = 500;
  await confirm.click();
  await page.getByText("we don't know yet whether the link was deleted. Try again.").waitFor();
  service.api.failWith = undefined;
  await confirm.click();
  await press(page, 'Restore docs');

  expect(new URL(page.url()).hash).toBe('#/');
  await expect.poll(() => codesOf(page)).toHaveLength(2);
  expect(await service.links.read('docs')).toMatchObject({ owner: 'ada', clicks: 3 });
});

test('an API key is created, copied and revoked with the keyboard, and its secret is shown once', async () => {
  await using page = await open();
  await press(page, 'API keys');
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel('Name of a new key');
  const submit = async (text: string) => {
    await name.press('Enter');
    await dialog.getByText(text).waitFor();
  };

  await submit('Enter a name of 1 to 50 letters');
  await page.keyboard.type('backup');
  await dialog.getByLabel('It may').selectOption('Read and write');
  service.api.failWith = 500;
  await submit("The service didn't confirm it. If the key is in the list, revoke it");
  expect(await name.inputValue()).toBe('backup');
  service.api.failWith = undefined;
  await submit("Copy the key now. It won't be shown again.");

  const secret = await dialog.locator('code').innerText();
  expect(secret).toMatch(/^clicktally_\w{46}$/);
  expect(await readFocus(page)).toBe('Copy the key');
  await press(page, 'Done');
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
  await dialog.getByText('never used').waitFor();
  expect(await page.content()).not.toContain(secret.slice(-36));
  const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])');
  expect(stored).not.toContain(secret);
  expect(await dialog.getByRole('listitem').innerText()).toContain('backup Read and write');
  await name.fill('backup');
  await submit('You already have an API key with this name.');

  await press(page, 'Revoke backup');
  expect(service.api.requests.filter((call) => call.startsWith('DELETE'))).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.getByText('backup is revoked. It stops working within 30 seconds.').waitFor();
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(0);
  expect(await readFocus(page)).toBe('Close');
  await page.keyboard.press('Escape');
  await press(page, 'Discard');
  await expect.poll(() => readFocus(page)).toBe('API keys');
});

// As bytes. Without it, Excel takes UTF-8 for another encoding.
const byteOrderMark = '\xef\xbb\xbf';

async function download(page: Page, name: string): Promise<{ name: string; text: string }> {
  const event = page.waitForEvent('download');
  if (name === downloadLinks) await pressInList(page, name);
  else await press(page, name);
  const file = await event;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'latin1') };
}

const downloadLinks = 'Download links (CSV)';

test("all links, also those that aren't shown, a link's clicks and its QR code are downloaded", async () => {
  for (let index = 0; index < 230; index += 1) service.links.add(`link-${index}`);
  service.links.count('docs', 10, ['vh', 'dm', 'rd', 'h09'], 100);
  service.links.count('docs', 5, ['vb', 'do', 'rd', 'h09']);
  await using page = await open();
  await page.getByRole('link', { name: '/link-229' }).waitFor();
  service.api.failWith = 500;
  await pressInList(page, downloadLinks);
  await page.getByText("links.csv wasn't downloaded. Try again.").waitFor();
  service.api.failWith = undefined;

  const links = await download(page, downloadLinks);
  const [header, ...lines] = links.text.trimEnd().split('\n');
  expect(links.name).toBe('links.csv');
  expect(header).toEqual(expect.stringMatching(`^${byteOrderMark}code,shortUrl,url,`));
  expect(lines.map((line) => line.split(',')[0])).toEqual(await service.links.codes());
  await page.getByText('Downloaded links.csv.').waitFor();
  expect(await page.getByText("wasn't downloaded").count()).toBe(0);

  await page.goto(`${service.url}#/links/docs?range=7d`);
  await page.getByRole('table', { name: 'Devices' }).waitFor();
  const today = new Date().toISOString().slice(0, 10);
  const csv = await download(page, 'Each day as CSV');
  const json = await download(page, 'Sums as JSON');
  await page.getByText('All', { exact: true }).click();
  await expect.poll(() => page.locator('.figures').innerText()).toMatch(/^Clicks\s+15/);
  const all = await download(page, 'Each day as CSV');

  expect(csv.name).toMatch(new RegExp(`^docs [-\\d]{10} to ${today}\\.csv$`));
  expect(csv.text).toMatch(/^\xef\xbb\xbfdate,clicks,.*\n[-\d]+,5,.*\n$/);
  expect(JSON.parse(json.text).days).toEqual([{ date: today, count: 5, people: 0, bots: 5 }]);
  expect(all.text).toMatch(/^\xef\xbb\xbfdate,clicks,.*\n[-\d]+,10,.*\n[-\d]+,5,.*\n$/);
  await press(page, 'QR code');
  for (const [type, start] of [
    ['SVG', /^<svg xmlns="http:..www.w3.org.2000.svg" viewBox="0 0 \d+ \d+"/],
    ['PNG', /^\x89PNG/],
  ] as const) {
    const { name, text } = await download(page, `Save ${type}`);
    expect(name).toEqual(`docs.${type.toLowerCase()}`);
    expect(text).toEqual(expect.stringMatching(start));
  }
});

test('many links are chosen, tagged, disabled, downloaded, deleted and brought back with the keyboard, also on a phone', async () => {
  for (let index = 0; index < 60; index += 1) service.links.add(`many-${index}`);
  await using page = await open('', { ...inBerlin, viewport: { width: 360, height: 800 } });
  const count = (text: string) => page.getByText(text).first().waitFor();
  await page.getByText('clicks counted on 61 links').waitFor();
  await pressInList(page, 'Choose links');
  await page.getByLabel('Search links').fill('many');
  await press(page, 'Choose all 60 found');
  await page.getByRole('checkbox', { name: 'Choose many-59' }).press('Space');
  await count('59 links chosen');
  expect(await findBarriers(page)).toEqual([]);
  expect(await measureOverflow(page)).toBe(0);
  const apply = async (action: string, text: string) => {
    await page.getByLabel('Action', { exact: true }).selectOption(action);
    await page.getByRole('button', { name: `${action}: ` }).press('Enter');
    await count(text);
  };

  await apply('Add a tag', 'Enter a tag.');
  await page.getByLabel('Tag', { exact: true }).fill('Spring');
  await apply('Add a tag', '59 links tagged.');
  expect((await service.links.read('many-0'))?.tags).toEqual(['spring']);
  expect((await service.links.read('many-59'))?.tags).toBeUndefined();
  await pressAndSee(page, 'Undo', '59 links changed back.');
  expect((await service.links.read('many-0'))?.tags).toBeUndefined();

  await press(page, 'Choose all 60 found');
  let throttled = 0;
  await page.route('**/links/many-3', async (route) => {
    throttled += 1;
    if (throttled > 1) return route.continue();
    const headers = { 'retry-after': '1' };
    await route.fulfill({ status: 429, headers, json: { message: 'Too Many Requests' } });
  });
  await page.route('**/links/many-4', (route) =>
    route.fulfill({ status: 403, json: { message: 'No.' } }),
  );
  await apply('Disable', '59 links disabled, 1 failed and are still chosen.');
  expect(throttled).toBe(2);
  await count('many-4: No.');
  await count('1 link chosen');
  expect(await service.links.read('many-3')).toMatchObject({ disabled: true });

  await press(page, 'Choose all 60 found');
  await page.getByLabel('Action', { exact: true }).selectOption('Download (CSV)');
  const { name, text } = await download(page, 'Download (CSV): 60 links');
  expect(name).toBe('links.csv');
  expect(text.trimEnd().split('\n')).toHaveLength(61);
  await page.unroute('**/links/many-4');
  await apply('Delete', '60 links deleted. You can restore them for 90 days.');
  await page.getByText('on 1 link').waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await pressAndSee(page, 'Undo', '60 links changed back.');
  expect(await service.links.codes()).toHaveLength(61);
});

describe('an import', () => {
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://example.com/${index}\n`).join('');
  const csvOf = (content: string | Buffer) => {
    return { name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  };
  const choose = (page: Page, content: string | Buffer) =>
    page.getByLabel('CSV file').setInputFiles(csvOf(content));
  const readMeanings = (page: Page) =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('.columns select')].map(({ selectedOptions }) => selectedOptions[0].text)`,
    );
  const confirm = (page: Page, rows: string, text: string) =>
    pressAndSee(page, `Import ${rows}`, text);

  test('creates a link for each row once, although it is interrupted, repeated and stopped by the daily limit', async () => {
    await using page = await open();
    const release = Promise.withResolvers<void>();
    let calls = 0;
    await page.route('**/links/import', async (route) => {
      const isDryRun = route.request().postDataJSON().dryRun;
      calls += isDryRun ? 0 : 1;
      if (calls === 3 && !isDryRun) await release.promise;
      await route.continue();
    });
    await pressInList(page, 'Import links');
    const chooser = page.waitForEvent('filechooser');
    await press(page, 'Choose a file');
    await (await chooser).setFiles(csvOf(`url\n${rowsOf(120)}`));
    await page.getByText('120 links can be created.').waitFor();
    service.api.failWith = 503;
    await confirm(page, '120 rows', 'No row is imported twice.');
    service.api.failWith = undefined;

    await choose(page, `url\n${rowsOf(120)}`);
    await confirm(page, '120 rows', '100 of 120 rows');
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('100');
    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByRole('link', { name: '‹ Your links' }).click();
    await page.getByText('100 of 120 rows').waitFor();
    release.resolve();
    await page.getByText('120 links created, 0 already existed, 0 rows refused.').waitFor();
    const { name, text } = await download(page, 'Download results (CSV)');
    service.links.limitTo(5);
    await choose(page, `url\n${rowsOf(130)}`);
    await page.getByText('5 links can be created, 120 exist already.').waitFor();
    await confirm(page, '5 rows', '5 links created, 120 already existed, 0 rows refused.');

    const daily = "You've reached your daily limit. For the other 5 rows, import the file again";
    await page.getByText(`${daily} tomorrow (UTC).`).waitFor();
    expect(await service.links.codes()).toHaveLength(126);
    const [header, first, ...others] = text.trimEnd().split('\n');
    const names = `${byteOrderMark}line,url,code,shortUrl,outcome,message`;
    expect(name).toBe('links.result.csv');
    expect(header).toEqual(names);
    expect(first).toMatch(/^2,https:\/\/example.com\/0,[\w-]+,http:\/\/localhost.*,created,$/);
    expect(others).toHaveLength(119);
    await page.getByText('clicks counted on 126 links').waitFor();
  });

  test('of 300 rows names the five bad ones before anything is created, and then imports the others', async () => {
    service.links.add('taken');
    const rows = Array.from(
      { length: 300 },
      (_, index) => `https://example.com/${index},c${index}`,
    );
    rows[20] = 'example,c20';
    rows[99] = 'https://example.com/99,taken';
    rows[150] = 'https://example.com/150,c10';
    rows[200] = 'https://example.com/200,a b';
    rows[299] = 'https://localhost/,c299';
    await using page = await open('', { viewport: { width: 360, height: 800 } });
    await pressInList(page, 'Import links');

    await choose(page, `Website,Kürzel\n${rows.join('\n')}\n`);
    await page.getByText('Expected the first line of links.csv to name the columns').waitFor();
    await page.getByLabel('Import Website as').selectOption('Destination');
    await page.getByText('298 links can be created').waitFor();
    await page.getByLabel('Import Kürzel as').selectOption('Code');

    await page.getByText("295 links can be created, 5 rows can't be imported.").waitFor();
    expect(await page.locator('.rejections li').allInnerTexts()).toEqual([
      'Line 22, code c20: Enter a web address, such as https://example.com/page.',
      'Line 101, code taken: The code taken is taken. Choose another one, or leave it out.',
      'Line 152, code c10: Line 12 has the code c10 too. Choose another one, or leave it out.',
      'Line 202, code a b: Use 1 to 64 letters, digits, hyphens, underscores, or dots between them.',
      'Line 301, code c299: Enter an address on the public internet. This one is private or local.',
    ]);
    expect(await service.links.codes()).toEqual(['taken', 'docs']);
    expect(await findBarriers(page)).toEqual([]);
    expect(await measureOverflow(page)).toBe(0);
    const problems = await download(page, 'Download the problems (CSV)');
    expect(problems.text.split(',refused,')).toHaveLength(6);
    await confirm(
      page,
      'the other 295 rows',
      '295 links created, 0 already existed, 5 rows refused.',
    );
    expect(await service.links.codes()).toHaveLength(297);
    expect((await download(page, 'Download results (CSV)')).text.split('\n')).toHaveLength(302);
  });

  test('that cannot be checked creates nothing, and is checked again on request', async () => {
    await using page = await open();
    await pressInList(page, 'Import links');
    service.api.failWith = 503;
    await choose(page, `url\n${rowsOf(2)}`);
    await page
      .getByText("The rows couldn't be checked. The service isn't available at the moment.")
      .waitFor();
    expect(await page.getByRole('button', { name: 'Import 2 rows' }).count()).toBe(0);
    service.api.failWith = undefined;

    await pressAndSee(page, 'Check again', '2 links can be created.');

    await confirm(page, '2 rows', '2 links created');
  });

  test('gives a link a new code only after a yes, if the file may have its code', async () => {
    await using page = await open();
    await pressInList(page, 'Import links');
    await choose(page, 'Ref,url\nspring-sale,https://example.com/a\n');
    await page.getByText('The column Ref of links.csv may have the codes.').waitFor();

    await press(page, 'Import 1 row');
    expect(await service.links.codes()).toEqual(['docs']);
    await page.getByLabel('Give every link a new code').check();
    await confirm(page, '1 row', '1 link created');

    expect(await service.links.codes()).not.toContain('spring-sale');
  });

  test('says what is wrong with a file or with its rows, and creates nothing before that is confirmed', async () => {
    await using page = await open();
    await pressInList(page, 'Import links');
    for (const [content, message] of [
      [Buffer.from('url\nhttps://example.com/é\n', 'latin1'), 'Save it as UTF-8.'],
      [`url\n"https://example.com/\n${'x\n'.repeat(40_000)}`, "isn't CSV"],
      ['x'.repeat(6_000_000), 'at most 5 MB; got 6 MB. Split it.'],
      ['', 'links.csv is empty.'],
    ] as const) {
      await choose(page, content);
      await page.getByText(message).waitFor();
    }

    const header = '"createdAt","domain","shortCode","shortUrl","longUrl","title","tags","visits"';
    const note = '61 clicks at Shlink, created 2024-08-15';
    const row =
      '"2024-08-15","s.example","9r2TW","https://s.example/9r2TW","https://example.com/a"';
    await choose(page, Buffer.from(`\ufeff${header}\n${row},"Été","sale|b c",61\n`, 'utf16le'));
    const firstLinks = page.getByRole('list', { name: 'First links' }).getByRole('listitem');
    await expect
      .poll(() => firstLinks.allInnerTexts())
      .toEqual([`9r2TW leads to https://example.com/a · Été · sale, b c · ${note}`]);
    await page.getByText('is an export of Shlink. 1 link can be created.').waitFor();
    expect(await readMeanings(page)).toEqual([
      'Note (date)',
      'Not imported',
      'Code',
      'Not imported',
      'Destination',
      'Title',
      'Tags',
      'Note (clicks)',
    ]);
    expect(await service.links.codes()).toEqual(['docs']);
    await confirm(page, '1 row', '1 link created');
    expect(await service.links.read('9r2TW')).toMatchObject({
      url: 'https://example.com/a',
      title: 'Été',
      tags: ['sale', 'b c'],
      note,
      clicks: 0,
    });

    await choose(
      page,
      '\ufeffURL,Slug,Expiresat,Colour\r\nhttps://example.com/a,good,,A\n=1+1,,\r\n"https://example.com/""b""",good,\rhttps://example.com/c,,2020-01-01T00:00:00Z\r\n',
    );
    const rejections = [
      'Line 3: Enter a web address, such as https://example.com/page.',
      'Line 4, code good: Line 2 has the code good too. Choose another one, or leave it out.',
      'Line 5: Enter a time in the future.',
    ];
    await page.getByText("1 link can be created, 3 rows can't be imported.").waitFor();
    expect(await page.locator('.rejections li').allInnerTexts()).toEqual(rejections);
    await confirm(page, 'the other 1 row', '1 link created, 0 already existed, 3 rows refused.');
    expect(await page.locator('.rejections li').allInnerTexts()).toEqual(rejections);
    const { text } = await download(page, 'Download results (CSV)');
    expect(text).toContain("3,'=1+1,,,refused,");

    // A file that is dropped. Its row has the identity that the command gives it.
    const data = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['url\\nhttps://example.com/é\\n'], 'dropped.csv'));
      return data;
    })()`);
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data });
    await page.getByText('dropped.csv has 1 row').waitFor();
    const request = page.waitForRequest('**/links/import');
    await confirm(page, '1 row', '1 link created');
    const hash = createHash('sha256').update('["https://example.com/é",null,null] 0');
    const link = { key: hash.digest('base64url'), url: 'https://example.com/é' };
    expect((await request).postDataJSON().links).toEqual([link]);
  });
});
