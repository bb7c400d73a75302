import type { Browser } from 'playwright-core';
import type { Sighting } from './delays.ts';

export interface Screen {
  readSightings(): Promise<Sighting[]>;
}

// A string, because the browser's types aren't available here. A total counts as seen when the browser
// paints it. Its digits then roll for another 0.6 s.
const observe = `
  window.sightings = [];
  new MutationObserver(() => {
    const clicks = Number(document.querySelector('.total .figure .hidden').textContent.replaceAll(',', ''));
    requestAnimationFrame(() => sightings.push({ atMs: Date.now(), clicks }));
  }).observe(document.querySelector('.total'), { subtree: true, characterData: true, childList: true });
`;

/** Opens the link's page, signs in, waits until it is live, and records every total. */
export async function openScreen(browser: Browser, api: string, code: string): Promise<Screen> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${api}/#/links/${code}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.live-status.is-live').waitFor();
  await page.locator('.total .figure').waitFor();
  await page.evaluate(observe);
  return { readSightings: () => page.evaluate<Sighting[]>('sightings') };
}
