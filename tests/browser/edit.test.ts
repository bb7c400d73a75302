import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { readFocus } from '../helpers/browser-tab.ts';

const inBerlin = { timezoneId: 'Europe/Berlin' };
const nextYear = new Date().getUTCFullYear() + 1;
// 18:00 in Berlin, where summer time is two hours ahead of UTC.
const expiresAt = `${nextYear}-05-26T16:00:00.000Z`;

useBrowserAndService();

beforeEach(() => {
  service.links.add('docs', 'https://docs.example.com/getting-started');
});

async function openForm(page: Page) {
  const menu = page.getByRole('button', { name: 'More actions for docs' });
  const edit = page.getByRole('button', { name: 'Edit' });
  await menu.or(edit).waitFor();
  if (await menu.isVisible()) await menu.click();
  await edit.click();
  const dialog = page.getByRole('dialog');
  return {
    url: dialog.getByLabel('Destination'),
    query: dialog.getByLabel("Add the visitor's query"),
    expires: dialog.getByLabel('The link expires'),
    expiry: dialog.getByLabel('Expires on (Europe/Berlin time)'),
    save: dialog.getByRole('button', { name: 'Save' }),
  };
}

const describeBadge = (page: Page) => page.locator('.badge').allInnerTexts();

describe('an edit', () => {
  test('changes the destination and the expiry in the list and on the page', async () => {
    await using page = await open('', inBerlin);
    const form = await openForm(page);
    expect([await form.expires.isChecked(), await form.expiry.isVisible()]).toEqual([false, false]);

    await form.url.fill('example.com/spring');
    await form.query.check();
    await form.expires.check();
    await form.expiry.fill(`${nextYear}-05-26T18:00`);
    await form.save.click();

    await page.getByText('Saved. Visitors see the change within 30 seconds.').waitFor();
    const url = 'https://example.com/spring';
    expect(await service.links.read('docs')).toMatchObject({ url, expiresAt, forwardQuery: true });
    expect(await describeBadge(page)).toEqual([`Expires 26 May ${nextYear}, 18:00`]);
    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByRole('link', { name: 'example.com/spring' }).waitFor();
    expect(await describeBadge(page)).toEqual([`Expires 26 May ${nextYear}, 18:00`]);
  });

  test('with the keyboard only ends at its button, and Escape and Cancel change nothing', async () => {
    await using page = await open('#/links/docs', inBerlin);
    const typeUrl = async (url: string) => {
      await page.getByRole('button', { name: 'Edit' }).press('Enter');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(url);
    };
    const leaves = [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Cancel' }).press('Enter'),
    ];

    for (const leave of leaves) {
      await typeUrl('https://example.com/left');
      await leave();
      await expect.poll(() => readFocus(page)).toBe('Edit');
      await expect.poll(() => page.locator('dialog').count()).toBe(0);
    }
    expect(service.api.requests.filter((call) => call.startsWith('PATCH'))).toEqual([]);
    await typeUrl('https://example.com/typed');
    await page.keyboard.press('Enter');

    await page.getByText('Saved.').waitFor();
    expect(await readFocus(page)).toBe('Edit');
    expect((await service.links.read('docs'))?.url).toBe('https://example.com/typed');
  });

  test('that is incomplete, refused or fails changes nothing, and says why beside the field', async () => {
    const url = 'https://docs.example.com/getting-started';
    service.links.update('docs', { expiresAt });
    await using page = await open('', inBerlin);
    const form = await openForm(page);
    const focusedName = () => page.evaluate('document.activeElement.name');
    const saveAndRead = async (text: string) => {
      await form.save.click();
      await page.getByText(text).waitFor();
    };

    await form.expiry.focus();
    await page.keyboard.press('Backspace');
    await saveAndRead('Enter a date and a time, or untick the box above.');
    await form.expiry.fill(`${nextYear}-05-26T18:00`);
    await form.url.fill('https://localhost/');
    await saveAndRead('Enter an address on the public internet.');
    expect(await focusedName()).toBe('url');
    await form.url.fill(url);
    await form.expiry.fill('2020-05-26T18:00');
    await saveAndRead('Enter a time in the future.');
    expect(await focusedName()).toBe('expiresAt');
    await form.expiry.fill(`${nextYear}-06-01T12:00`);
    service.api.failWith = 500;
    await saveAndRead(
      "The service didn't confirm it, so we don't know yet whether your changes were saved. Try again.",
    );
    expect(await form.expiry.inputValue()).toBe(`${nextYear}-06-01T12:00`);
    expect(await service.links.read('docs'))?.toMatchObject({ url, expiresAt });
  });

  test('that is the later of two is told, shows the current values and can replace them', async () => {
    await using page = await open('', inBerlin);
    const form = await openForm(page);
    const [url, later] = ['https://example.com/other', `${nextYear}-06-01T12:00`];
    service.links.update('docs', { url, expiresAt });

    await form.expires.check();
    await form.expiry.fill(later);
    await form.save.click();

    await page.getByText('has changed in the meantime').waitFor();
    await page.getByText(`Now: ${url}`).waitFor();
    await page.getByText(`Now: 26 May ${nextYear}, 18:00`).waitFor();
    expect([await form.url.inputValue(), await form.expiry.inputValue()]).toEqual([url, later]);
    expect((await service.links.read('docs'))?.expiresAt).toBe(expiresAt);
    await form.save.click();

    await page.getByText('Saved.').waitFor();
    const replaced = { url, expiresAt: `${nextYear}-06-01T10:00:00.000Z` };
    expect(await service.links.read('docs'))?.toMatchObject(replaced);
  });
});

test('titles, tags and the added query are created, found, edited and removed, and a tag leads to the links that have it', async () => {
  service.links.add('other');
  service.links.update('other', { tags: ['news'], title: 'Other' });
  await using page = await open('', inBerlin);
  const codes = () => page.locator('.link-row .short-code').allInnerTexts();
  const [title, tags] = ['Title', 'Tags'].map((name) => page.getByRole('textbox', { name }));
  await page.getByRole('button', { name: 'New link' }).click();
  await page.getByLabel('Destination').fill('example.com');
  await page.getByLabel('Code').fill('spring');
  await page.getByLabel("Add the visitor's query").check();
  await title?.fill('Spring\u202e Sale');
  await tags?.fill(`${'x'.repeat(51)}, News`);
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('Shorten the tag: 50 characters are the maximum.').waitFor();
  await tags?.fill('Sale; News,news');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await service.links.read('spring')).toMatchObject({
    ...{ title: 'Spring Sale', tags: ['sale', 'news'], forwardQuery: true },
  });

  await page.reload();
  await page.getByLabel('Search links').fill('spring sale');
  await expect.poll(codes).toEqual(['spring']);
  await page.getByLabel('Search links').fill('');
  await page.getByRole('link', { name: 'news' }).first().press('Enter');
  await expect.poll(codes).toEqual(['spring', 'other']);
  await page.getByText('2 of 3 links found.').waitFor();
  await page.reload();
  await expect.poll(codes).toEqual(['spring', 'other']);
  await page.getByRole('link', { name: '/spring' }).click();
  await page.getByText('‹ Your links').click();
  await expect.poll(codes).toEqual(['spring', 'other']);
  await page.getByRole('link', { name: 'Show all links' }).press('Enter');
  await expect.poll(codes).toEqual(['spring', 'other', 'docs']);

  await page.getByRole('link', { name: '/spring' }).click();
  const form = await openForm(page);
  await title?.fill('');
  await tags?.fill('');
  await form.query.uncheck();
  await form.save.click();
  await page.getByText('Saved.').waitFor();
  const spring = (await service.links.read('spring')) ?? {};
  expect([spring.title, spring.tags, spring.forwardQuery]).toEqual(Array(3).fill(undefined));
  expect(await page.locator('.title, .tag').count()).toBe(0);
});

test('a link that has expired says so, keeps that if only its destination is edited, and can be revived', async () => {
  const expired = '2026-01-02T03:04:05.678Z';
  service.links.update('docs', { expiresAt: expired });
  await using page = await open('', inBerlin);
  await expect.poll(() => describeBadge(page)).toEqual(['Expired']);
  await page.getByRole('link', { name: '/docs' }).click();
  await page.getByText('No clicks yet').waitFor();
  expect(await page.getByText('Share the short link.').count()).toBe(0);
  expect(await describeBadge(page)).toEqual(['Expired']);

  const { url, save } = await openForm(page);
  await url.fill('https://example.com/spring');
  await save.click();
  await page.getByText('Saved.').waitFor();
  const edited = { url: 'https://example.com/spring', expiresAt: expired };
  expect(await service.links.read('docs'))?.toMatchObject(edited);
  const form = await openForm(page);
  await form.expires.uncheck();
  await form.save.click();

  await expect.poll(() => describeBadge(page)).toEqual([]);
  expect((await service.links.read('docs'))?.expiresAt).toBeUndefined();
});
