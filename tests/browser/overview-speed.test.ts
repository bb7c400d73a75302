import { expect, test } from 'vitest';
import { print } from '../../cli/terminal/print.ts';
import { open, service, useBrowserAndService } from '../helpers/browser-suite.ts';
import { isoDay, link, sketchItem } from '../helpers/items.ts';

// Runs with MEASURE=true only, and prints the times of docs/decisions.md#the-overview.
useBrowserAndService();

const dayCount = 60;
const dayMs = 86_400_000;
/** Links with more days have no visitors in an overview. */
const maxLinkDays = 30_000;
/** The largest sketch. */
const { sketch } = sketchItem(
  '',
  '',
  Array.from({ length: 300 }, (_, visitor) => visitor),
);

/** Goes to the overview, and says after how many milliseconds the first number was in the page. */
const goToOverview = `new Promise((resolve) => {
  const startMs = performance.now();
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.overview .figures')) return;
    observer.disconnect();
    resolve(Math.round(performance.now() - startMs));
  });
  observer.observe(document, { subtree: true, childList: true });
  location.hash = '#/overview';
})`;

test.each([500, 5_000])(
  'the overview of %d links over 60 days',
  async (linkCount) => {
    for (let number = 0; number < linkCount; number += 1) {
      const code = `link-${number}`;
      const dates = Array.from({ length: dayCount }, (_, day) => isoDay(Date.now() - day * dayMs));
      const days = dates.map((date) => ({
        PK: `LINK#${code}`,
        SK: `STAT#${date}`,
        count: 3,
        vh: 2,
        vb: 1,
        dm: 3,
        rd: 3,
        cc: 3,
        h10: 3,
      }));
      const sketches = dates.map((date) => ({ ...sketchItem(code, date, []), sketch }));
      const clicks = dayCount * 3;
      await service.links.put(
        { ...link(code, clicks), owner: 'ada', vh: dayCount * 2, vb: dayCount },
        ...days,
        ...(linkCount * dayCount > maxLinkDays ? [] : sketches),
      );
    }
    const expected = (linkCount * 30 * 2).toLocaleString('en-US');
    for (const visit of ['first', 'second', 'third', 'fourth']) {
      const page = await open('#/');
      await page.getByRole('link', { name: 'Overview', exact: true }).waitFor();
      // An environment keeps what it read for ten seconds.
      await page.waitForTimeout(11_000);
      const startMs = performance.now();
      const firstMs = await page.evaluate(goToOverview);
      const people = page.locator('.figures dd').first();
      await people.getByText(expected, { exact: true }).waitFor({ timeout: 200_000 });
      const sumsMs = Math.round(performance.now() - startMs);
      await page.getByRole('heading', { name: 'Countries' }).waitFor({ timeout: 200_000 });
      const valuesMs = Math.round(performance.now() - startMs);
      await page.getByText(/^Visitors are/).waitFor({ timeout: 200_000 });
      const visitorsMs = Math.round(performance.now() - startMs);
      const hasVisitors = (await page.getByText('≈ Visitors').count()) > 0;
      const visitors = `${hasVisitors ? '' : 'no '}visitors ${visitorsMs} ms`;
      const times = `first number ${firstMs} ms, all sums ${sumsMs} ms, breakdowns ${valuesMs} ms, ${visitors}`;
      print(`${linkCount} links, ${visit} visit: ${times}\n`);
      expect(await people.innerText()).toBe(expected);
      await page.context().close();
    }
  },
  1_200_000,
);
