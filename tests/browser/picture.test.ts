import { expect, test } from 'vitest';
import { chooseAttributes } from '../../lib/clicks/breakdowns.ts';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';

useBrowserAndService({ hasPackagedFont: true });

const dayMs = 86_400_000;
/** Starting with Sunday. */
const weekdays = [0.55, 1, 1.12, 1.06, 1, 0.9, 0.6];
/** A newsletter's effect, by days ago. */
const newsletter: Readonly<Record<number, number>> = { 11: 2.5, 10: 1.7, 9: 1.2 };
/** Values in proportion to their number, with steps that keep the breakdowns uncorrelated. */
const detail: Record<string, [step: number, values: string]> = {
  referrer: [Math.SQRT2, 'direct direct direct google google instagram linkedin whatsapp reddit'],
  country: [Math.PI, 'US US US US DE DE GB GB FR IN CA BR other unknown'],
  device: [Math.LN2, 'mobile mobile mobile mobile desktop desktop desktop tablet'],
  visitor: [Math.E, 'human human human human human human human human human human bot'],
};

/** Counts a day's clicks on a link, up to now. */
function countDay(daysAgo: number, code = 'spring', clicksPerVisit = 26): void {
  const midnightMs = Date.now() - (Date.now() % dayMs) - daysAgo * dayMs;
  const weekday = weekdays[new Date(midnightMs).getUTCDay()] ?? 1;
  const clicks = 130 * weekday * (1 - daysAgo * 0.011) * (newsletter[daysAgo] ?? 1);
  // Some of them return on the next day.
  const visitors = Array.from({ length: clicks * 0.8 }, (_, index) => daysAgo * 60 + index);
  service.links.see(code, visitors, daysAgo);
  // Each visit stands for many clicks.
  for (let index = 0; index < clicks / 30; index += 1) {
    const at = new Date(midnightMs + ((index * Math.SQRT1_2) % 1) * dayMs);
    if (at.getTime() > Date.now()) continue;
    const values = Object.entries(detail).map(([name, [step, text]]) => {
      const all = text.split(' ');
      return [name, all[Math.floor((((index + daysAgo * 7) * step) % 1) * all.length)]];
    });
    const attributes = chooseAttributes(Object.fromEntries(values), at);
    service.links.count(code, clicksPerVisit + 2 * (index % 5), attributes, daysAgo);
  }
}

// `npm run generate -- screenshots` names the folder. Other runs leave this file out.
test.each(['light', 'dark'] as const)(
  'the picture of a link in %s colours shows a rise and a change since the period before',
  async (colorScheme) => {
    service.links.add('spring', 'https://shop.example.com/collections/spring', 90);
    for (let daysAgo = 60; daysAgo >= 0; daysAgo -= 1) countDay(daysAgo);
    service.api.backlog = { waiting: 0, deadLetters: 0 };
    const viewport = { width: 960, height: 900 };
    const picture = { colorScheme, viewport, deviceScaleFactor: 1.25 };
    await using page = await open('#/links/spring', picture);
    await page.locator('.live-status.is-live').waitFor();
    await page.locator('.change b').first().waitFor();
    await page.getByText('Visitors by day').waitFor();

    service.click('spring', 3, ['vh', 'dm', 'r1', 'c2']);

    await page.locator('.figures .has-risen').first().waitFor();
    const path = `${process.env.PICTURES}/live-${colorScheme}.png`;
    await page.screenshot({ path, animations: 'disabled' });
    expect(await page.locator('.figures .has-risen').count()).toBe(2);
  },
);

test.each(['light', 'dark'] as const)(
  'the picture of an overview in %s colours shows the links, sources and countries with the most people',
  async (colorScheme) => {
    const links = { spring: 26, 'berlin-poster': 9, newsletter: 15, 'menu.pdf': 5 };
    for (const [code, clicksPerVisit] of Object.entries(links)) {
      service.links.add(code, `https://shop.example.com/${code}`, 90);
      for (let daysAgo = 14; daysAgo >= 0; daysAgo -= 1) countDay(daysAgo, code, clicksPerVisit);
    }
    service.api.backlog = { waiting: 0, deadLetters: 0 };
    const picture = { colorScheme, viewport: { width: 960, height: 900 } };
    await using page = await open('#/overview?range=7d', picture);
    await page.getByRole('heading', { name: 'Sources, by people' }).waitFor();

    const path = `${process.env.PICTURES}/overview-${colorScheme}.png`;
    await page.screenshot({ path, animations: 'disabled', fullPage: true });
  },
);
