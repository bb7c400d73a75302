import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import type { Browser } from 'puppeteer-core';
import { findFreePort, loopback } from '../../cli/loopback/ports.ts';
import { startChild } from './child-process.ts';
import { pollUntil } from './poll-until.ts';

const startTimeoutMs = 60_000;

const findFirefox = () => process.env.FIREFOX_PATH ?? findProgram('firefox-esr', 'firefox');

/** Explains why this machine doesn't have Firefox; undefined if it has. */
export function findFirefoxObstacle(): string | undefined {
  if (findFirefox()) return undefined;
  return 'Install firefox-esr, or set FIREFOX_PATH to a Firefox.';
}

/** Starts a headless Firefox with a new profile, which WebDriver BiDi drives. */
export async function launchFirefox(prefs: Record<string, unknown> = {}): Promise<Browser> {
  const { default: puppeteer } = await import('puppeteer-core');
  const own = { executablePath: findFirefox(), extraPrefsFirefox: prefs };
  return await puppeteer.launch({ browser: 'firefox', ...own });
}

/** Debian's folders, as in /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1. */
const findMiniBrowser = () => globSync('/usr/lib/*/webkit2gtk-4.1/MiniBrowser')[0];

/** Explains why this machine doesn't have WebKit; undefined if it has. */
export function findWebKitObstacle(): string | undefined {
  const isInstalled = findMiniBrowser() && findProgram('WebKitWebDriver') && findProgram('Xvfb');
  return isInstalled ? undefined : 'Install webkit2gtk-driver and xvfb.';
}

/** Sends a command of the WebDriver protocol: https://www.w3.org/TR/webdriver2/#endpoints */
export type SendCommand = <T>(method: string, path: string, body?: object) => Promise<T>;

/** A WebDriver session of WebKitGTK. */
export interface WebKit {
  send: SendCommand;
  close(): Promise<void>;
}

/** Starts WebKitGTK's small browser on a virtual display. Its session is private. */
export async function launchWebKit(): Promise<WebKit> {
  const port = await findFreePort();
  const args = ['-a', 'WebKitWebDriver', `--port=${port}`];
  const driver = startChild('xvfb-run', args, { env: process.env });
  const send = createSender(`http://${loopback}:${port}`);
  try {
    const isReady = async () => (await send<{ ready: boolean }>('GET', '/status')).ready;
    await pollUntil(isReady, { timeoutMs: startTimeoutMs, endedEarly: driver.exited });
    const options = { binary: findMiniBrowser(), args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const { sessionId } = await send<{ sessionId: string }>('POST', '/session', { capabilities });
    const session = createSender(`http://${loopback}:${port}/session/${sessionId}`);
    return { send: session, close: driver.stop };
  } catch (error) {
    await driver.stop();
    throw new Error(`expected WebKit to start; got ${driver.output()}`, { cause: error });
  }
}

function createSender(url: string): SendCommand {
  return async (method, path, body) => {
    const response = await fetch(url + path, { method, body: body && JSON.stringify(body) });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } };
    if (response.ok) return value as never;
    throw new Error(`expected WebKit to ${method} ${path}; got ${value.error}: ${value.message}`);
  };
}

/** Finds a program on the PATH, by the first of these names that exists. */
function findProgram(...names: string[]): string | undefined {
  const find = (name: string) => spawnSync('sh', ['-c', 'command -v "$0"', name]).stdout;
  return names.map((name) => find(name).toString().trim()).find(Boolean);
}
