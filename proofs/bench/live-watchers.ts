import { once } from 'node:events';
import type { Browser } from 'playwright-core';
import { WebSocket } from 'ws';
import { serverMessageSchema } from '../../lib/live/messages.ts';
import type { Sighting } from './live-result.ts';

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
export async function openScreen(browser: Browser, api: string, code: string) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${api}/#/links/${code}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.live-status.is-live').waitFor();
  await page.locator('.total .figure').waitFor();
  await page.evaluate(observe);
  return { readSightings: () => page.evaluate<Sighting[]>('sightings') };
}

/** Opens a connection of the link's owner that watches the link without a page. */
export async function openConnection(liveUrl: string, code: string, token: string) {
  const socket = new WebSocket(liveUrl, ['click-tally', token]);
  const sightings: Sighting[] = [];
  const watching = Promise.withResolvers<void>();
  socket.on('message', (data) => {
    const atMs = Date.now();
    const message = serverMessageSchema.parse(JSON.parse(`${data}`));
    if (!('links' in message)) return;
    const links: { code: string; clicks?: number }[] = message.links;
    const clicks = links.find((link) => link.code === code)?.clicks;
    if (clicks === undefined) return;
    sightings.push({ atMs, clicks });
    // The first total is in the answer to `watch`.
    watching.resolve();
  });
  await once(socket, 'open');
  socket.on('error', watching.reject);
  socket.on('close', () => watching.reject(new Error('Expected to watch the link; was closed.')));
  socket.send(JSON.stringify({ action: 'watch', codes: [code] }));
  await watching.promise;
  return { sightings, [Symbol.dispose]: () => socket.terminate() };
}
