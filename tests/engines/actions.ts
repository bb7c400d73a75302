import { pollUntil } from '../../local/engines/poll-until.ts';
import type { BrowserEngine, EngineBrowser, Tab } from './browsers.ts';

export type ByEngine = number | Record<BrowserEngine, number>;

interface Place {
  browser: EngineBrowser;
  engine: BrowserEngine;
  /** The address of the page. */
  page: string;
  link: string;
  /** Waits for this many requests for the link. */
  waitForRequests(count: ByEngine): Promise<void>;
}

/** Something that a visitor does, and how many clicks it is. */
export interface Action {
  does: string;
  counts: ByEngine;
  because: string;
  /** The least requests for the link, if not every one counts. */
  asks?: ByEngine;
  /** What is on the page. By default, it's a link. */
  html?: (link: string) => string;
  /** By default, the visitor opens the page. */
  act?: (place: Place) => Promise<unknown>;
  /** Whether the link leads to a file to download. */
  isFile?: boolean;
}

export const anchor = (link: string, attributes = '') =>
  `<title>page</title><a id="go" href="${link}" ${attributes}>go</a>`;

export async function look({ browser, page }: Place): Promise<Tab> {
  const tab = await browser.openTab();
  await tab.open(page);
  return tab;
}

const click = async (place: Place) => (await look(place)).click('#go');

async function arrive(place: Place): Promise<Tab> {
  const tab = await look(place);
  await tab.click('#go');
  await waitForTitle(tab, 'arrived');
  return tab;
}

const waitForTitle = (tab: Tab, title: string) =>
  pollUntil(async () => (await tab.readTitle()) === title, { timeoutMs: 30_000 });

/** Rules that Chromium follows, after which the visitor follows the link or doesn't. */
function speculate(kind: 'prefetch' | 'prerender', eagerness: string): Action[] {
  const does = `opens a page whose rules say ${kind}, ${eagerness}`;
  const rules = (url: string) => JSON.stringify({ [kind]: [{ urls: [url], eagerness }] });
  const html = (link: string) =>
    `<script type="speculationrules">${rules(link)}</script>${anchor(link)}`;
  // Chromium looks ahead at once, when the mouse points at the link, or when its button goes down.
  const asks = { chromium: eagerness === 'conservative' ? 0 : 1, firefox: 0, webkit: 0 };
  const act = async (place: Place) => {
    const tab = await look(place);
    if (eagerness !== 'immediate') await tab.hover('#go');
    await place.waitForRequests(asks);
    return tab;
  };
  return [
    { does, html, act, asks, counts: 0, because: 'nobody followed the link' },
    {
      does: `${does}, and clicks`,
      counts: 1,
      because: 'the speculation is rejected, so Chromium asks again',
      html,
      act: async (place) => (await act(place)).click('#go'),
    },
  ];
}

/** Something on the page that loads the link by itself. */
const embed = (does: string, html: (link: string) => string, asks: ByEngine = 1): Action => ({
  does,
  html,
  asks,
  counts: 0,
  because: 'nobody left the page',
});

/** Something that is one click, if nothing else is said. */
const one = (
  does: string,
  because: string,
  act: Action['act'],
  more: Partial<Action> = {},
): Action => ({ does, because, counts: 1, act, ...more });

export const actions: Action[] = [
  one('clicks', 'the visitor follows the link', click),
  one('clicks with the middle button', 'the link opens in a tab', async (place) =>
    (await look(place)).click('#go', { button: 'middle' }),
  ),
  one('clicks on a link that opens a tab', 'the visitor follows the link', click, {
    html: (link) => anchor(link, 'target="_blank"'),
  }),
  one(
    'double-clicks',
    'Firefox and WebKit start again at the second click; Chromium goes on',
    async (place) => {
      const tab = await look(place);
      if (place.engine !== 'firefox') return tab.click('#go', { times: 2 });
      // A second click before the first request would replace it.
      await tab.click('#go');
      await place.waitForRequests(1);
      await tab.click('#go');
    },
    {
      counts: { chromium: 1, firefox: 2, webkit: 2 },
      html: (link) => anchor(`${link}?held`),
    },
  ),
  one('reloads the destination', 'the browser knows where it is', async (place) =>
    (await arrive(place)).reload(),
  ),
  one('goes back and forward', 'the history has the destination', async (place) => {
    const tab = await arrive(place);
    await tab.back();
    await waitForTitle(tab, 'page');
    await tab.forward();
    await waitForTitle(tab, 'arrived');
  }),
  one('types the address', 'the visitor wants to go there', async ({ browser, link }) =>
    (await browser.openTab()).open(link),
  ),
  one('opens it in a private window', 'it is a visit like any other', async ({ browser, link }) =>
    (await browser.openTab({ isPrivate: true })).open(link),
  ),
  one(
    'opens it in two tabs at once',
    'the visitor opens it twice',
    async ({ browser, link }) => {
      const tabs = [await browser.openTab(), await browser.openTab()];
      await Promise.all(tabs.map((tab) => tab.open(link)));
    },
    { counts: 2 },
  ),
  one(
    'opens it again at once',
    'no response is cached',
    async ({ browser, link }) => {
      const tab = await browser.openTab();
      await tab.open(link);
      await tab.open(link);
    },
    { counts: 2 },
  ),
  one('submits a form', 'it leads to the destination', click, {
    html: (link) => `<form action="${link}"><button id="go">go</button></form>`,
  }),
  one('clicks, and a script leads there', 'it leads to the destination', click, {
    html: (link) => `<button id="go" onclick="location.href = '${link}'">go</button>`,
  }),
  one('is led there by a meta refresh', 'the visitor leaves the page', look, {
    html: (link) => `<meta http-equiv="refresh" content="0; url=${link}">`,
  }),
  one('clicks on a link with download', 'the visitor follows the link', click, {
    html: (link) => anchor(link, 'download'),
    isFile: true,
  }),
  one('clicks on a link to a file', 'the visitor follows the link', click, { isFile: true }),
  one(
    'clicks on a link in a frame',
    'it is a click, but WebKit does not tell it from an embed',
    click,
    {
      counts: { chromium: 1, firefox: 1, webkit: 0 },
      asks: 1,
      html: (link) =>
        `<iframe id="go" srcdoc='<body style="font-size: 9em">${anchor(link)}'></iframe>`,
    },
  ),
  one(
    'follows it twice, and the second time the connection dies before the redirect arrives',
    'browsers repeat the request, and nothing tells a repeat from another visitor',
    async ({ browser, page, link }) => {
      // Chromium repeats only what it sent on a connection that it had used before.
      const tab = await browser.openTab();
      await tab.open(link.replace('127.0.0.1', 'localhost'));
      await tab.open(page);
      await tab.click('#go');
    },
    {
      counts: { chromium: 3, firefox: 11, webkit: 3 },
      // At this name, no connection is left from other tests.
      html: (link) => anchor(`${link.replace('127.0.0.1', 'localhost')}?lost`),
    },
  ),
  ...['immediate', 'moderate', 'conservative'].flatMap((when) => speculate('prefetch', when)),
  ...['immediate', 'moderate'].flatMap((when) => speculate('prerender', when)),
  {
    ...embed('opens a page that prefetches it', (link) => `<link rel="prefetch" href="${link}">`),
    asks: { chromium: 1, firefox: 1, webkit: 0 },
  },
  one('opens a page that prefetches it, and clicks', 'the prefetch is rejected', click, {
    asks: { chromium: 2, firefox: 2, webkit: 1 },
    html: (link) => `<link rel="prefetch" href="${link}">${anchor(link)}`,
  }),
  ...[
    ['an image', 'img src'],
    ['a frame', 'iframe src'],
    ['an object', 'object data'],
    ['an embed', 'embed src'],
    ['a video', 'video src'],
    ['audio', 'audio src'],
    ['a script', 'script src'],
    ['a style sheet', 'link rel="stylesheet" href'],
  ].map(([what, tag = '']) =>
    embed(`opens a page with it as ${what}`, (link) => `<${tag}="${link}"></${tag.split(' ')[0]}>`),
  ),
  // Headless Chromium doesn't load icons.
  embed('opens a page with it as an icon', (link) => `<link rel="icon" href="${link}">`, {
    chromium: 0,
    firefox: 1,
    webkit: 1,
  }),
  embed('opens a page that fetches it', (link) => `<script>fetch('${link}')</script>`),
  embed(
    'opens a page that fetches it without CORS',
    (link) => `<script>fetch('${link}', { mode: 'no-cors' })</script>`,
  ),
  one(
    'clicks on a link elsewhere that pings it',
    'a ping is a POST, and Firefox sends none',
    click,
    {
      counts: 0,
      asks: { chromium: 1, firefox: 0, webkit: 1 },
      html: (link) => anchor('/elsewhere', `ping="${link}"`),
    },
  ),
];
