import { expect, test } from 'vitest';
import { chooseAttributes } from '../../lib/clicks/breakdowns.ts';
import { browser, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { openTab, signIn } from '../helpers/browser-tab.ts';

useBrowserAndService({ hasPackagedFont: true });

type Weights = Readonly<Record<string, number>>;

const dayMs = 86_400_000;
/** Starting with Sunday. */
const weekdays = [0.55, 1, 1.12, 1.06, 1, 0.9, 0.6];
/** A newsletter's effect, by days ago. */
const newsletter: Readonly<Record<number, number>> = { 11: 2.5, 10: 1.7, 9: 1.2 };
const detail = {
  referrer: {
    direct: 29,
    google: 21,
    instagram: 14,
    linkedin: 10,
    whatsapp: 8,
    reddit: 6,
    bing: 4,
  },
  country: { US: 31, DE: 17, GB: 12, FR: 8, IN: 7, CA: 5, BR: 4, other: 6, unknown: 2 },
  device: { mobile: 52, desktop: 40, tablet: 5, other: 3 },
  visitor: { human: 91, bot: 9 },
} satisfies Record<string, Weights>;
// Multiples of different irrational numbers, so that the breakdowns aren't correlated.
const factors = [Math.SQRT2, Math.PI, Math.LN2, Math.E];

/** Chooses a key by a number's fractional part, so keys occur in proportion to their weights. */
function choose(weights: Weights, number: number): string {
  const keys = Object.entries(weights).flatMap(([key, weight]) => Array(weight).fill(key));
  return keys[Math.floor((number % 1) * keys.length)];
}

/** Counts a day's clicks, up to now. */
function countDay(daysAgo: number): void {
  const midnightMs = Date.now() - (Date.now() % dayMs) - daysAgo * dayMs;
  const weekday = weekdays[new Date(midnightMs).getUTCDay()] ?? 1;
  const clicks = 130 * weekday * (1 - daysAgo * 0.011) * (newsletter[daysAgo] ?? 1);
  // Each visit stands for a few clicks.
  for (let index = 0; index < clicks / 9; index += 1) {
    const at = new Date(midnightMs + ((index * Math.SQRT1_2) % 1) * dayMs);
    if (at.getTime() > Date.now()) continue;
    const values = Object.entries(detail).map(([name, weights], each) => {
      return [name, choose(weights, (index + daysAgo * 7) * (factors[each] ?? 1))];
    });
    service.links.count(
      'spring',
      7 + (index % 5),
      chooseAttributes(Object.fromEntries(values), at),
      daysAgo,
    );
  }
}

// `npm run generate -- screenshots` names the folder.
const folder = process.env.PICTURES;

test.each(['light', 'dark'] as const)(
  'the picture of a link in %s colours shows a rise and a change since the period before',
  async (colorScheme) => {
    service.links.add('spring', 'https://shop.example.com/collections/spring', 90);
    for (let daysAgo = 60; daysAgo >= 0; daysAgo -= 1) countDay(daysAgo);
    service.api.backlog = { waiting: 3, setAside: 0 };
    const viewport = { width: 960, height: 900 };
    await using tab = await openTab(browser, { colorScheme, viewport, deviceScaleFactor: 1.25 });
    const { page } = tab;
    await signIn(page, service, '#/links/spring');
    await page.locator('.live-status.is-live').waitFor();
    await page.getByText(/^[+−]\d+%$/).waitFor();

    service.click('spring', 3, ['vh', 'dm', 'r01', 'c2']);

    await page.locator('.figures .has-risen').first().waitFor();
    await page.screenshot({
      ...(folder && { path: `${folder}/live-${colorScheme}.png` }),
      animations: 'disabled',
    });
    expect(await page.locator('.figures .has-risen').count()).toBe(2);
  },
);
