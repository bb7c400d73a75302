import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';

/** Why there is no browser on this machine; undefined if there is one. */
export function findBrowserObstacle(): string | undefined {
  if (process.env.CHROMIUM_PATH || (process.platform === 'linux' && process.arch === 'x64')) {
    return undefined;
  }
  return 'The packaged Chromium is for Linux x64. Set CHROMIUM_PATH to a Chrome or Chromium.';
}

/** Where the packaged Chromium unpacks Open Sans. */
const packagedFonts = path.join(tmpdir(), 'fonts');

interface BrowserOptions {
  /** A local port, for the destinations of links; by default, no name leads anywhere. */
  everyNameLeadsTo?: number;
  /** Whether pages have the font of the packaged Chromium, on any machine, and not the machine's. */
  hasPackagedFont?: boolean;
}

/**
 * Starts a headless Chromium: the packaged one, or the one at CHROMIUM_PATH. It never leaves this
 * machine.
 */
export async function launchBrowser({
  everyNameLeadsTo,
  hasPackagedFont = false,
}: BrowserOptions = {}): Promise<Browser> {
  // vitest.config.ts loads this file for every kind of test, and these are large.
  const { default: chromium } = await import('@sparticuz/chromium');
  const { chromium: playwright } = await import('playwright-core');
  const executablePath = process.env.CHROMIUM_PATH ?? (await chromium.executablePath());
  const place = everyNameLeadsTo === undefined ? '~NOTFOUND' : `127.0.0.1:${everyNameLeadsTo}`;
  // A container has no user namespaces for Chromium's sandbox; it loads only local pages.
  return await playwright.launch({
    executablePath,
    ...(hasPackagedFont && { env: { ...process.env, FONTCONFIG_PATH: packagedFonts } }),
    // A command that is interrupted closes the browser itself, after what uses it.
    ...{ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false },
    args: [
      ...['--no-sandbox', '--no-zygote', '--disable-gpu'],
      `--host-resolver-rules=MAP * ${place}, EXCLUDE 127.0.0.1`,
    ],
  });
}
