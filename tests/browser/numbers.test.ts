import { beforeEach, expect, test } from 'vitest';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';

useBrowserAndService();

beforeEach(() => {
  service.links.add('spring', 'https://example.com/spring', 90);
  for (let daysAgo = 1; daysAgo <= 7; daysAgo += 1) {
    service.links.count('spring', 10, ['vh', 'dm', 'r1', 'h09'], daysAgo);
    service.links.count('spring', 20, ['vh', 'dm', 'r1', 'h09'], daysAgo + 7);
  }
});

test('messages that need an operator are named with the most clicks they hold, and no change is shown', async () => {
  service.links.add('waiting');
  service.api.backlog = { waiting: 3, deadLetters: 19 };
  await using page = await open();
  const missing = page.getByText(
    'Up to 9,500 clicks need an operator (19 messages) · 3 messages pending',
  );

  await missing.waitFor();
  await page
    .locator('.link-row', { hasText: 'waiting' })
    .getByText('No clicks counted yet')
    .waitFor();
  await page.getByRole('link', { name: '/spring' }).click();
  await missing.waitFor();
  await page.getByText('7 days').click();
  await page.getByText('The change is known once all messages are counted').waitFor();
  expect(await page.locator('.change').innerText()).not.toContain('%');
  service.api.backlog = { waiting: 0, deadLetters: 0 };
  await page.locator('.change').getByText('%').waitFor();
});

test.each([
  ['Pacific/Auckland', '29 Nov 2026', '5 Apr 2027'],
  ['America/Los_Angeles', '28 Nov 2026', '4 Apr 2027'],
  ['Asia/Kathmandu', '28 Nov 2026', '4 Apr 2027'],
])(
  'in %s, a link is created on the owner’s own day, and today says UTC',
  async (timezoneId, own, change) => {
    service.links.update('spring', { createdAt: '2026-11-28T16:27:00.000Z' });
    // Auckland's clocks went back on this day.
    service.links.add('autumn');
    service.links.update('autumn', { createdAt: '2027-04-04T14:30:00.000Z' });
    await using page = await open('', { timezoneId });
    const dates = page.locator('.link-row time');

    await page.getByText('0 today (UTC)').first().waitFor();
    expect(await dates.allInnerTexts()).toEqual([
      expect.stringContaining(change),
      expect.stringContaining(own),
    ]);
  },
);

test('nothing of the old range remains once another one is chosen', async () => {
  await using page = await open('#/links/spring?range=7d');
  const figures = page.locator('.figures');
  await figures.getByText('60', { exact: true }).first().waitFor();
  const { promise: isLate, resolve: answer } = Promise.withResolvers<void>();
  await page.route(/\/stats\?/, async (route) => {
    await isLate;
    await route.continue();
  });

  await page.getByText('30 days').click();

  await expect.poll(() => figures.getAttribute('aria-busy')).toBe('true');
  expect(await figures.innerText()).not.toMatch(/\d/);
  expect(await page.locator('.bar').count()).toBe(0);
  answer();
  await figures.getByText('210', { exact: true }).first().waitFor();
  expect(await figures.getAttribute('aria-busy')).toBe('false');
});
