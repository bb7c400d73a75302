import { beforeEach, expect, test } from 'vitest';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { findBarriers, measureOverflow } from '../helpers/browser-tab.ts';

useBrowserAndService();

/** Counts two clicks of each of these visitors. */
function visit(code: string, visitors: readonly number[], daysAgo: number): void {
  service.links.count(code, 2 * visitors.length, ['vh', 'dm', 'r1', 'h09'], daysAgo);
  service.links.see(code, visitors, daysAgo);
}

beforeEach(() => {
  for (const code of ['spring', 'autumn']) {
    service.links.add(code, `https://example.com/${code}`, 90);
    service.links.update(code, { tags: ['poster'] });
  }
  visit('spring', [1, 2, 3], 1);
  visit('spring', [1, 2, 4], 2);
  visit('spring', [1, 2], 9);
  visit('autumn', [4, 5], 2);
  visit('autumn', [6, 7, 8], 20);
  visit('autumn', [9], 40);
});

test('a link’s visitors who return count once in the range, and are compared with the period before', async () => {
  await using page = await open('#/links/spring?range=7d');
  const panel = page.getByRole('region', { name: 'Visitors by day (UTC)' });

  await panel.getByText('≈ 4 visitors in the whole range').waitFor();

  const figures = page.locator('.figures');
  expect(await figures.innerText()).toContain('Clicks by people\n12\n≈ Visitors\n4');
  await expect
    .poll(() => panel.locator('.change').innerText())
    .toMatch(/^\+100% ≈ 4 visitors from .*, against ≈ 2 from .*$/);
  await panel.getByText('View as table').click();
  const rows = await panel.locator('tbody tr').allInnerTexts();
  expect(rows.map((row) => row.split('\t').slice(1).map(Number)).slice(0, 4)).toEqual([
    [0, 0],
    [3, 6],
    [3, 6],
    [0, 0],
  ]);
  await panel.getByText('within 2%, and 19 times in 20 within 7%').waitFor();
  await page.setViewportSize({ width: 320, height: 800 });
  await expect.poll(() => measureOverflow(page)).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});

test('a link from before visitors has them since a day, and one without any has no place for them', async () => {
  service.links.count('spring', 8, ['vh', 'dm', 'r1', 'h09'], 5);
  service.links.add('winter', 'https://example.com/winter', 90);
  service.links.count('winter', 8, ['vh', 'dm', 'r1', 'h09'], 5);
  await using page = await open('#/links/spring?range=7d');

  await page.getByText(/≈ 4 visitors in the whole range, counted since/).waitFor();

  await page.evaluate("location.hash = '#/links/winter?range=7d'");
  await expect.poll(() => page.locator('.figures').innerText()).toContain('Clicks by people\n8');
  expect(await page.getByText('isitors by day').count()).toBe(0);
});

test('a tag’s visitors who followed two of its links count once', async () => {
  await using page = await open('#/overview?range=7d&tag=poster');
  const figures = page.locator('.overview .figures');

  await expect.poll(() => figures.innerText()).toContain('Clicks by people\n16\n≈ Visitors\n5');
  const change = page.locator('.overview .change').last();
  await expect
    .poll(() => change.innerText())
    .toMatch(/^\+150% ≈ 5 visitors from .*, against ≈ 2 from/);
});

test('the list can be sorted by the visitors of the last 30 days, and each row has them', async () => {
  service.links.add('winter');
  await using page = await open();
  const rows = page.locator('li.link-row');

  await page.getByLabel('Sort by').selectOption('Visitors');

  await page.getByText('Visitors are people in the last 30 days').waitFor();
  await expect.poll(() => rows.first().innerText()).toContain('autumn');
  expect(await rows.nth(0).locator('.link-numbers').innerText()).toContain('≈ 5');
  expect(await rows.nth(1).locator('.link-numbers').innerText()).toContain('≈ 4');
  expect(await rows.nth(2).innerText()).toContain('winter');
  await page.setViewportSize({ width: 320, height: 800 });
  await expect.poll(() => measureOverflow(page)).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
});
