import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import type { Browser, Page } from 'puppeteer-core';
import { startChild } from '../../local/engines/child-process.ts';
import { findBrowserProblem, findChromium } from '../../local/engines/chromium.ts';
import { pollUntil } from '../../local/engines/poll-until.ts';
import { findFreePort, loopback } from '../../loopback/ports.ts';

export type BrowserEngine = 'chromium' | 'firefox' | 'webkit';

export interface ClickOptions {
  button?: 'left' | 'middle';
  times?: 1 | 2;
}

/** A tab, as a visitor uses it. */
export interface Tab {
  /** Types an address, and waits until the page has loaded. */
  open(url: string): Promise<void>;
  click(selector: string, options?: ClickOptions): Promise<void>;
  hover(selector: string): Promise<void>;
  back(): Promise<void>;
  forward(): Promise<void>;
  reload(): Promise<void>;
  readTitle(): Promise<string>;
  /** Types into the element with the focus. */
  type(text: string): Promise<void>;
  /** Evaluates an expression on the page. */
  evaluate<Value>(expression: string): Promise<Value>;
}

/** A running browser. */
export interface EngineBrowser {
  openTab(options?: { isPrivate: boolean }): Promise<Tab>;
  closeTabs(): Promise<void>;
  close(): Promise<void>;
}

export const browserEngines: Record<
  BrowserEngine,
  { findProblem: () => string | undefined; launch: () => Promise<EngineBrowser> }
> = {
  chromium: {
    findProblem: findBrowserProblem,
    launch: async () => {
      const { default: puppeteer } = await import('puppeteer-core');
      return inPuppeteer(await puppeteer.launch({ ...(await findChromium()), headless: 'shell' }));
    },
  },
  firefox: {
    findProblem: findFirefoxProblem,
    launch: async () => inPuppeteer(await launchFirefox()),
  },
  webkit: { findProblem: findWebKitProblem, launch: inWebKit },
};

function inPuppeteer(browser: Browser): EngineBrowser {
  return {
    openTab: async ({ isPrivate } = { isPrivate: false }) => {
      const context = isPrivate
        ? await browser.createBrowserContext()
        : browser.defaultBrowserContext();
      return describePage(await context.newPage());
    },
    closeTabs: async () => {
      // Without a tab, Firefox ends.
      const [first, ...others] = await browser.pages();
      await first?.goto('about:blank');
      await Promise.all(others.map((page) => page.close()));
    },
    close: () => browser.close(),
  };
}

function describePage(page: Page): Tab {
  return {
    open: async (url) => void (await page.goto(url)),
    click: (selector, { button = 'left', times = 1 } = {}) =>
      page.click(selector, { button, count: times }),
    hover: (selector) => page.hover(selector),
    // In Firefox, a page from the history doesn't load again, for which goBack would wait. The timer
    // lets the command end before its page does.
    back: () => page.evaluate('void setTimeout(() => history.back())') as Promise<void>,
    forward: () => page.evaluate('void setTimeout(() => history.forward())') as Promise<void>,
    reload: async () => void (await page.reload()),
    readTitle: () => page.title(),
    type: (text) => page.keyboard.type(text),
    evaluate: <Value>(expression: string) => page.evaluate(expression) as Promise<Value>,
  };
}

const findFirefox = () => process.env.FIREFOX_PATH ?? findProgram('firefox-esr', 'firefox');

/** Explains why this machine doesn't have Firefox; undefined if it has. */
export function findFirefoxProblem(): string | undefined {
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
function findWebKitProblem(): string | undefined {
  const isInstalled = findMiniBrowser() && findProgram('WebKitWebDriver') && findProgram('Xvfb');
  return isInstalled ? undefined : 'Install webkit2gtk-driver and xvfb.';
}

/** Sends a command of the WebDriver protocol: https://www.w3.org/TR/webdriver2/#endpoints */
type SendCommand = <T>(method: string, path: string, body?: object) => Promise<T>;

const webKitTimeoutMs = 60_000;

/** Starts WebKitGTK's small browser on a virtual display. Its session is private. */
async function launchWebKit() {
  const port = await findFreePort();
  const args = ['-a', 'WebKitWebDriver', `--port=${port}`];
  // Without a graphics card, layers cost a third of all processor time.
  const env = { ...process.env, WEBKIT_DISABLE_COMPOSITING_MODE: '1' };
  const driver = startChild('xvfb-run', args, { env });
  const send = createSender(`http://${loopback}:${port}`);
  try {
    const isReady = async () => (await send<{ ready: boolean }>('GET', '/status')).ready;
    await pollUntil(isReady, { timeoutMs: webKitTimeoutMs, endedEarly: driver.exited });
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

// WebKit's driver crashes if the mouse acts in any window but the first.
async function inWebKit(): Promise<EngineBrowser> {
  const { send, close } = await launchWebKit();
  const first = await send<string>('GET', '/window');
  let isTaken = false;
  return {
    // Every session is private.
    openTab: async () => {
      if (isTaken) {
        const { handle } = await send<{ handle: string }>('POST', '/window/new', { type: 'tab' });
        return describeWindow(send, handle);
      }
      isTaken = true;
      return describeWindow(send, first);
    },
    closeTabs: async () => {
      for (const handle of await send<string[]>('GET', '/window/handles')) {
        if (handle === first) continue;
        await send('POST', '/window', { handle });
        await send('DELETE', '/window');
      }
      await describeWindow(send, first).open('about:blank');
      isTaken = false;
    },
    close,
  };
}

const buttons = { left: 0, middle: 1 };
/** As long as a person needs, so that the first press has an effect. */
const pause = { type: 'pause', duration: 200 };

function describeWindow(send: SendCommand, handle: string): Tab {
  // Commands go to the current window.
  const inWindow: SendCommand = async (...command) => {
    await send('POST', '/window', { handle });
    return await send(...command);
  };
  const point = async (selector: string, ...presses: object[]) => {
    const query = { using: 'css selector', value: selector };
    const origin = await inWindow<object>('POST', '/element', query);
    const move = { type: 'pointerMove', duration: 0, x: 0, y: 0, origin };
    const mouse = { type: 'pointer', id: 'mouse', actions: [move, ...presses] };
    await inWindow('POST', '/actions', { actions: [mouse] });
  };
  const go = (path: string, body = {}) => inWindow<void>('POST', path, body);
  return {
    open: (url) => go('/url', { url }),
    click: (selector, { button = 'left', times = 1 } = {}) => {
      const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: buttons[button] }));
      return point(selector, ...(times === 2 ? [...press, pause, ...press] : press));
    },
    hover: (selector) => point(selector),
    back: () => go('/back'),
    forward: () => go('/forward'),
    reload: () => go('/refresh'),
    readTitle: () => inWindow('GET', '/title'),
    type: async (text) => {
      const keys = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await inWindow('POST', '/actions', {
        actions: [{ type: 'key', id: 'keyboard', actions: keys }],
      });
    },
    evaluate: (expression) =>
      inWindow('POST', '/execute/sync', { script: `return ${expression}`, args: [] }),
  };
}

/** Finds a program on the PATH, by the first of these names that exists. */
function findProgram(...names: string[]): string | undefined {
  const find = (name: string) => spawnSync('sh', ['-c', 'command -v "$0"', name]).stdout;
  return names.map((name) => find(name).toString().trim()).find(Boolean);
}
