import type { Browser } from 'puppeteer-core';
import { findProgram } from './find-program.ts';

const findFirefox = () => process.env.FIREFOX_PATH ?? findProgram('firefox-esr', 'firefox');

/** Explains why this machine doesn't have Firefox; undefined if it has. */
export function findFirefoxObstacle(): string | undefined {
  if (findFirefox()) return undefined;
  return 'Install firefox-esr, or set FIREFOX_PATH to a Firefox.';
}

/** Starts a headless Firefox with a new profile, which WebDriver BiDi drives. */
export async function launchFirefox(prefs: Record<string, unknown> = {}): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core');
  return await puppeteer.launch({
    ...{ browser: 'firefox', executablePath: findFirefox(), extraPrefsFirefox: prefs },
  });
}
