import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { browser, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { openTab, signIn } from '../helpers/browser-tab.ts';

useBrowserAndService();

beforeEach(() => {
  service.links.add('single');
  service.links.count('single', 12, ['vh', 'dd', 'rd', 'h07']);
  service.links.add('countries');
  service.links.count('countries', 12, ['vh', 'dd', 'rd', 'h07', 'c0']);
  service.links.add('many');
  service.links.add('many-countries');
  for (const referrer of ['rd', 'r01', 'r02', 'r03', 'r04', 'r05', 'r06', 'r07', 'r08', 'r09']) {
    service.links.count('many', 7, ['vh', 'dd', referrer, 'h07']);
    service.links.count('many', 2, ['vb', 'dm', referrer, 'h07']);
    service.links.count('many-countries', 7, ['vh', 'dd', referrer, 'h07', 'c0']);
  }
});

/** The bottoms of the lowest cards at the left and the right edge. */
async function measureEnds(page: Page): Promise<{ left: number; right: number }> {
  return await page.evaluate(`(() => {
    const all = document.querySelector('.breakdowns').getBoundingClientRect();
    const cards = [...document.querySelectorAll('.breakdowns > *')].map((card) => card.getBoundingClientRect());
    const endOf = (side) => Math.max(...cards.filter((card) => Math.abs(card[side] - all[side]) < 1).map((card) => Math.round(card.bottom)));
    return { left: endOf('left'), right: endOf('right') };
  })()`);
}

test.each(['single', 'many', 'countries', 'many-countries'])(
  'the lists of %s values fill a window of any width without a gap',
  async (code) => {
    await using tab = await openTab(browser);
    await signIn(tab.page, service, `#/links/${code}`);
    await tab.page.getByText('Each list adds up').waitFor();

    for (const width of [1280, 760]) {
      await tab.page.setViewportSize({ width, height: 800 });
      const { left, right } = await measureEnds(tab.page);

      expect(left).toBeGreaterThan(0);
      expect([width, left]).toEqual([width, right]);
    }
  },
);
