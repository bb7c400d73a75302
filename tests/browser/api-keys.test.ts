import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { readFocus } from '../helpers/browser-tab.ts';

useBrowserAndService();

const menu = 'Import, restore and more';

async function openKeys(page: Page) {
  await page.getByRole('button', { name: menu }).press('Enter');
  await page.getByRole('button', { name: 'API keys', exact: true }).press('Enter');
  return page.getByRole('dialog');
}

test('a key is created, copied and revoked with the keyboard, and its secret is shown once', async () => {
  await using page = await open();
  const dialog = await openKeys(page);
  await dialog.getByLabel('Name of a new key').focus();

  await page.keyboard.type('backup');
  await dialog.getByLabel('It may').selectOption('Read and write');
  await dialog.getByLabel('Name of a new key').press('Enter');

  await dialog.getByText("Copy the key now. It won't be shown again.").waitFor();
  const secret = await dialog.locator('code').innerText();
  expect(secret).toMatch(/^clicktally_\w{46}$/);
  expect(await readFocus(page)).toBe('Copy the key');
  await dialog.getByRole('button', { name: 'Done' }).press('Enter');
  await dialog.getByText('never used').waitFor();
  expect(await page.content()).not.toContain(secret.slice(-36));
  expect(
    await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])'),
  ).not.toContain(secret);
  expect(await dialog.getByRole('listitem').innerText()).toContain('backup Read and write');

  await dialog.getByRole('button', { name: 'Revoke backup' }).press('Enter');
  expect(service.api.requests.filter((call) => call.startsWith('DELETE'))).toEqual([]);
  await page.keyboard.press('Enter');
  await dialog.getByText('backup is revoked. It stops working within 30 seconds.').waitFor();
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(0);
  expect(await readFocus(page)).toBe('Cancel');
  await page.keyboard.press('Escape');
  await expect.poll(() => readFocus(page)).toBe(menu);
});

test('a refused or failed key says why, and what was entered stays', async () => {
  await using page = await open();
  const dialog = await openKeys(page);
  const submit = async (text: string) => {
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText(text).waitFor();
  };

  await submit('Enter a name of 1 to 50 letters');
  await dialog.getByLabel('Name of a new key').fill('nightly');
  service.api.failWith = 500;
  await submit("The service didn't confirm it. If the key is in the list, revoke it");
  expect(await dialog.getByLabel('Name of a new key').inputValue()).toBe('nightly');
  service.api.failWith = undefined;
  await submit('Copy the key now.');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await dialog.getByLabel('Name of a new key').fill('nightly');
  await submit('You already have an API key with this name.');
});
