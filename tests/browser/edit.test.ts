import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { browser, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { findBarriers, measureOverflow, openTab, signIn } from '../helpers/browser-tab.ts';

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
    expires: dialog.getByLabel('The link expires'),
    expiry: dialog.getByLabel('Expires on (Europe/Berlin time)'),
    save: dialog.getByRole('button', { name: 'Save' }),
  };
}

const describeBadge = (page: Page) => page.locator('.badge').allInnerTexts();
const focused = (page: Page) =>
  page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText');

describe('an edit', () => {
  test('changes the destination and the expiry in the list and on the page', async () => {
    await using tab = await openTab(browser, inBerlin);
    const { page } = tab;
    await signIn(page, service);
    const form = await openForm(page);

    await form.url.fill('example.com/spring');
    await form.expires.check();
    await form.expiry.fill(`${nextYear}-05-26T18:00`);
    await form.save.click();

    await page.getByText('Saved. Visitors see the change within 30 seconds.').waitFor();
    expect(await service.links.describe('docs')).toMatchObject({
      url: 'https://example.com/spring',
      expiresAt,
    });
    expect(await describeBadge(page)).toEqual([`Expires 26 May ${nextYear}, 18:00`]);
    await page.getByRole('link', { name: '/docs' }).click();
    await page.getByRole('link', { name: 'example.com/spring' }).waitFor();
    expect(await describeBadge(page)).toEqual([`Expires 26 May ${nextYear}, 18:00`]);
  });

  test('with the keyboard only ends at its button, and Escape and Cancel change nothing', async () => {
    await using tab = await openTab(browser, inBerlin);
    const { page } = tab;
    await signIn(page, service, '#/links/docs');
    const button = page.getByRole('button', { name: 'Edit' });

    await button.press('Enter');
    await page.keyboard.type('https://example.com/escaped');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('Edit');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
    await button.press('Enter');
    await page.keyboard.type('https://example.com/cancelled');
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expect.poll(() => focused(page)).toBe('Edit');
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
    expect(service.api.requests.filter((call) => call.startsWith('PATCH'))).toEqual([]);
    await button.press('Enter');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('https://example.com/typed');
    await page.keyboard.press('Enter');

    await page.getByText('Saved.').waitFor();
    expect(await focused(page)).toBe('Edit');
    expect((await service.links.describe('docs')).url).toBe('https://example.com/typed');
  });

  test('that is incomplete, refused or fails changes nothing, and says why beside the field', async () => {
    service.links.update('docs', { expiresAt });
    await using tab = await openTab(browser, inBerlin);
    const { page } = tab;
    await signIn(page, service);
    const form = await openForm(page);

    await form.expiry.focus();
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a date and a time, or untick the box above.').waitFor();
    await form.expiry.fill(`${nextYear}-05-26T18:00`);
    await form.url.fill('https://localhost/');
    await form.save.click();
    await page.getByText('Enter an address on the public internet.').waitFor();
    expect(await focusedName(page)).toBe('url');
    await form.url.fill('https://docs.example.com/getting-started');
    await form.expiry.fill('2020-05-26T18:00');
    await form.save.click();
    await page.getByText('Enter a time in the future.').waitFor();
    expect(await focusedName(page)).toBe('expiresAt');
    await form.expiry.fill('9999-05-26T18:00');
    await form.save.click();

    await page.getByText('Enter a time within 10 years').waitFor();
    await form.expiry.fill(`${nextYear}-06-01T12:00`);
    service.api.failWith = 500;
    await form.save.click();
    await page.getByText("Your changes weren't saved. Try again.").waitFor();
    expect(await form.expiry.inputValue()).toBe(`${nextYear}-06-01T12:00`);
    expect(await service.links.describe('docs')).toMatchObject({
      url: 'https://docs.example.com/getting-started',
      expiresAt,
    });
  });

  test('that is the later of two is told, shows the current values and can replace them', async () => {
    await using tab = await openTab(browser, inBerlin);
    const { page } = tab;
    await signIn(page, service);
    const form = await openForm(page);
    service.links.update('docs', { url: 'https://example.com/other', expiresAt });

    await form.expires.check();
    await form.expiry.fill(`${nextYear}-06-01T12:00`);
    await form.save.click();

    await page.getByText('has changed in the meantime').waitFor();
    await page.getByText('Now: https://example.com/other').waitFor();
    await page.getByText(`Now: 26 May ${nextYear}, 18:00`).waitFor();
    expect(await form.url.inputValue()).toBe('https://example.com/other');
    expect(await form.expiry.inputValue()).toBe(`${nextYear}-06-01T12:00`);
    expect((await service.links.describe('docs')).expiresAt).toBe(expiresAt);
    await form.save.click();

    await page.getByText('Saved.').waitFor();
    expect(await service.links.describe('docs')).toMatchObject({
      url: 'https://example.com/other',
      expiresAt: `${nextYear}-06-01T10:00:00.000Z`,
    });
  });
});

const focusedName = (page: Page) => page.evaluate('document.activeElement.name');

test('a link that has expired says so, keeps that if only its destination is edited, and can be revived', async () => {
  const expired = '2026-01-02T03:04:05.678Z';
  service.links.update('docs', { expiresAt: expired });
  await using tab = await openTab(browser, inBerlin);
  const { page } = tab;
  await signIn(page, service);
  await expect.poll(() => describeBadge(page)).toEqual(['Expired']);
  await page.getByRole('link', { name: '/docs' }).click();
  await page.getByText('No clicks yet').waitFor();
  expect(await page.getByText('Share the short link.').count()).toBe(0);
  expect(await describeBadge(page)).toEqual(['Expired']);

  const { url, save } = await openForm(page);
  await url.fill('https://example.com/spring');
  await save.click();
  await page.getByText('Saved.').waitFor();
  expect(await service.links.describe('docs')).toMatchObject({
    ...{ url: 'https://example.com/spring', expiresAt: expired },
  });
  const form = await openForm(page);
  await form.expires.uncheck();
  await form.save.click();

  await expect.poll(() => describeBadge(page)).toEqual([]);
  expect((await service.links.describe('docs')).expiresAt).toBeUndefined();
});

test("an expiry that's only partly filled in is refused, and one that's unticked is removed", async () => {
  await using tab = await openTab(browser, inBerlin);
  const { page } = tab;
  await signIn(page, service);
  const form = await openForm(page);
  expect([await form.expires.isChecked(), await form.expiry.isVisible()]).toEqual([false, false]);

  await form.expires.check();
  await form.save.click();
  await page.getByText('Enter a date and a time, or untick the box above.').waitFor();
  await form.expiry.press('1');
  await form.expiry.press('Enter');
  await page.getByText('Enter a date and a time, or untick the box above.').waitFor();
  service.links.update('docs', { url: 'https://example.com/other', expiresAt });
  await form.expiry.fill(`${nextYear}-06-01T12:00`);
  await form.save.click();
  await page.getByText('has changed in the meantime').waitFor();
  await form.expires.uncheck();
  await form.save.click();

  await page.getByText('Saved.').waitFor();
  expect((await service.links.describe('docs')).expiresAt).toBeUndefined();
});

test.each([
  ['light', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('the form is accessible and fits in %s colours at %d', async (colorScheme, width) => {
  service.links.update('docs', { expiresAt });
  await using tab = await openTab(browser, {
    ...{ ...inBerlin, colorScheme, viewport: { width, height: 800 } },
  });
  const { page, problems } = tab;
  await signIn(page, service);
  await page.locator('.badge').waitFor();
  expect(await measureOverflow(page)).toBe(0);
  const form = await openForm(page);
  // The date and the time aren't cut off.
  expect((await form.expiry.boundingBox())?.width).toBeGreaterThan(230);
  service.links.update('docs', { expiresAt: null });
  await form.url.fill('https://example.com/spring');
  await form.save.click();
  await page.getByText('Now: never').waitFor();

  const barriers = await findBarriers(page);
  const inner: number = await page.evaluate(
    "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog'))",
  );

  expect(barriers).toEqual([]);
  expect([await measureOverflow(page), inner]).toEqual([0, 0]);
  expect(problems).toEqual([]);
});
