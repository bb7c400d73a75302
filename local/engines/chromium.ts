import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';

/** Explains why this machine doesn't have a browser; undefined if it has one. */
export function findBrowserProblem(): string | undefined {
  if (process.env.CHROMIUM_PATH || (process.platform === 'linux' && process.arch === 'x64')) {
    return undefined;
  }
  return 'The packaged Chromium is for Linux x64. Set CHROMIUM_PATH to a Chrome or Chromium.';
}

/** Where the packaged Chromium unpacks Open Sans. */
const packagedFonts = path.join(tmpdir(), 'fonts');

interface BrowserOptions {
  /**
   * Resolves all hostnames to this local port, which serves the links' destinations. By default,
   * hostnames don't resolve.
   */
  everyNameLeadsTo?: number;
  /** Uses the packaged Chromium's font, so pages look the same on any machine. */
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
  const { chromium: playwright } = await import('playwright-core');
  return await playwright.launch({
    ...(await findChromium(everyNameLeadsTo)),
    ...(hasPackagedFont && { env: { ...process.env, FONTCONFIG_PATH: packagedFonts } }),
    // An interrupted command closes the browser itself, after everything that uses it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** Finds the Chromium, and its arguments. Hostnames resolve to this local port, or not at all. */
export async function findChromium(everyNameLeadsTo?: number) {
  // It's large, and vitest.config.ts loads this file for every kind of test.
  const { default: chromium } = await import('@sparticuz/chromium');
  const place = everyNameLeadsTo === undefined ? '~NOTFOUND' : `127.0.0.1:${everyNameLeadsTo}`;
  return {
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    // Containers lack the user namespaces for Chromium's sandbox. The browser loads only local pages.
    args: [
      ...['--no-sandbox', '--disable-gpu'],
      `--host-resolver-rules=MAP * ${place}, EXCLUDE 127.0.0.1, EXCLUDE localhost`,
    ],
  };
}
