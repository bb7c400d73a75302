import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { readFocus } from '../helpers/browser-tab.ts';

useBrowserAndService();

beforeEach(() => {
  service.links.add('docs', 'https://docs.example.com/getting-started');
  service.links.add('blog');
  service.links.count('docs', 3, ['vh']);
});

const codesOf = (page: Page) => page.locator('.links .link-code').allInnerTexts();

async function askToDelete(page: Page) {
  const menu = page.getByRole('button', { name: 'More actions for docs' });
  const button = page.getByRole('button', { name: 'Delete', exact: true });
  await menu.or(button).first().waitFor();
  if (await menu.isVisible()) await menu.click();
  await button.click();
  return page.getByRole('dialog').getByRole('button', { name: 'Delete' });
}

test('a link is deleted, undone, and restored from the list', async () => {
  await using page = await open();

  await (await askToDelete(page)).click();
  await page.getByText('docs is deleted. You can restore it for 90 days.').waitFor();

  expect(await codesOf(page)).toHaveLength(1);
  await expect.poll(() => readFocus(page)).toBe('Undo');
  expect((await service.links.read('docs'))?.deletedAt).toBeDefined();
  await page.getByRole('button', { name: 'Import, restore and more' }).click();
  await page.getByRole('button', { name: 'Deleted links' }).click();
  await page.getByText('3 clicks · deleted').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => codesOf(page)).toHaveLength(2);
  await page.getByText('There are none.').waitFor();

  await (await askToDelete(page)).click();
  await page.getByRole('button', { name: 'Restore docs' }).click();
  await expect.poll(() => codesOf(page)).toHaveLength(2);
  expect(await service.links.read('docs')).toMatchObject({ owner: 'ada', clicks: 3 });
});

test('a link that is deleted on its own page leads to the list, and a refusal says why', async () => {
  await using page = await open('#/links/docs');

  const confirm = await askToDelete(page);
  service.api.failWith = 500;
  await confirm.click();
  await page.getByText("we don't know yet whether the link was deleted. Try again.").waitFor();
  service.api.failWith = undefined;
  await confirm.click();

  await page.getByText('docs is deleted.').waitFor();
  expect(new URL(page.url()).hash).toBe('#/');
});
