import { pollUntil } from '../../local/engines/poll-until.ts';
import type { BrowserEngine, EngineBrowser, Tab } from '../helpers/engines.ts';

export type ByEngine = number | Record<BrowserEngine, number>;

interface Place {
  browser: EngineBrowser;
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
      ...{ counts: 1, because: 'the speculation is refused, so Chromium asks again' },
      ...{ html, act: async (place) => (await act(place)).click('#go') },
    },
  ];
}

/** Something on the page that loads the link by itself. */
const embed = (does: string, html: (link: string) => string, asks: ByEngine = 1): Action => ({
  ...{ does, html, asks, counts: 0, because: 'nobody left the page' },
});

export const actions: Action[] = [
  { does: 'clicks', counts: 1, because: 'the visitor follows the link', act: click },
  {
    does: 'clicks with the middle button',
    ...{ counts: 1, because: 'the link opens in a tab' },
    act: async (place) => (await look(place)).click('#go', { button: 'middle' }),
  },
  {
    does: 'clicks on a link that opens a tab',
    ...{ counts: 1, because: 'the visitor follows the link' },
    ...{ html: (link) => anchor(link, 'target="_blank"'), act: click },
  },
  {
    does: 'double-clicks',
    counts: { chromium: 1, firefox: 2, webkit: 2 },
    because: 'Firefox and WebKit start again at the second click; Chromium goes on',
    html: (link) => anchor(`${link}?held`),
    act: async (place) => (await look(place)).click('#go', { times: 2 }),
  },
  {
    does: 'reloads the destination',
    ...{ counts: 1, because: 'the browser knows where it is' },
    act: async (place) => (await arrive(place)).reload(),
  },
  {
    does: 'goes back and forward',
    ...{ counts: 1, because: 'the history has the destination' },
    act: async (place) => {
      const tab = await arrive(place);
      await tab.back();
      await waitForTitle(tab, 'page');
      await tab.forward();
      await waitForTitle(tab, 'arrived');
    },
  },
  {
    does: 'types the address',
    ...{ counts: 1, because: 'the visitor wants to go there' },
    act: async ({ browser, link }) => (await browser.openTab()).open(link),
  },
  {
    does: 'opens it in a private window',
    ...{ counts: 1, because: 'it is a visit like any other' },
    act: async ({ browser, link }) => (await browser.openTab({ isPrivate: true })).open(link),
  },
  {
    does: 'opens it in two tabs at once',
    ...{ counts: 2, because: 'the visitor opens it twice' },
    act: async ({ browser, link }) => {
      const tabs = [await browser.openTab(), await browser.openTab()];
      await Promise.all(tabs.map((tab) => tab.open(link)));
    },
  },
  {
    does: 'opens it again at once',
    ...{ counts: 2, because: 'no response is cached' },
    act: async ({ browser, link }) => {
      const tab = await browser.openTab();
      await tab.open(link);
      await tab.open(link);
    },
  },
  {
    does: 'submits a form',
    ...{ counts: 1, because: 'it leads to the destination' },
    html: (link) => `<form action="${link}"><button id="go">go</button></form>`,
    act: click,
  },
  {
    does: 'clicks, and a script leads there',
    ...{ counts: 1, because: 'it leads to the destination' },
    html: (link) => `<button id="go" onclick="location.href = '${link}'">go</button>`,
    act: click,
  },
  {
    does: 'is led there by a meta refresh',
    ...{ counts: 1, because: 'the visitor leaves the page' },
    html: (link) => `<meta http-equiv="refresh" content="0; url=${link}">`,
  },
  {
    does: 'clicks on a link with download',
    ...{ counts: 1, because: 'the visitor follows the link' },
    ...{ html: (link) => anchor(link, 'download'), act: click, isFile: true },
  },
  {
    does: 'clicks on a link to a file',
    ...{ counts: 1, because: 'the visitor follows the link', act: click, isFile: true },
  },
  {
    does: 'clicks on a link in a frame',
    counts: { chromium: 1, firefox: 1, webkit: 0 },
    asks: 1,
    because: 'it is a click, but WebKit does not tell it from an embed',
    html: (link) =>
      `<iframe id="go" srcdoc='<body style="font-size: 9em">${anchor(link)}'></iframe>`,
    act: click,
  },
  {
    does: 'follows it twice, and the second time the connection dies before the redirect arrives',
    counts: { chromium: 3, firefox: 11, webkit: 3 },
    because: 'browsers repeat the request, and nothing tells a repeat from another visitor',
    // At this name, no connection is left from other tests.
    html: (link) => anchor(`${link.replace('127.0.0.1', 'localhost')}?lost`),
    act: async ({ browser, page, link }) => {
      // Chromium repeats only what it sent on a connection that it had used before.
      const tab = await browser.openTab();
      await tab.open(link.replace('127.0.0.1', 'localhost'));
      await tab.open(page);
      await tab.click('#go');
    },
  },
  ...['immediate', 'moderate', 'conservative'].flatMap((when) => speculate('prefetch', when)),
  ...['immediate', 'moderate'].flatMap((when) => speculate('prerender', when)),
  {
    ...embed('opens a page that prefetches it', (link) => `<link rel="prefetch" href="${link}">`),
    asks: { chromium: 1, firefox: 1, webkit: 0 },
  },
  {
    does: 'opens a page that prefetches it, and clicks',
    ...{ counts: 1, because: 'the prefetch is refused' },
    asks: { chromium: 2, firefox: 2, webkit: 1 },
    html: (link) => `<link rel="prefetch" href="${link}">${anchor(link)}`,
    act: click,
  },
  embed('opens a page with it as an image', (link) => `<img src="${link}">`),
  embed('opens a page with it as a frame', (link) => `<iframe src="${link}"></iframe>`),
  embed('opens a page with it as an object', (link) => `<object data="${link}"></object>`),
  embed('opens a page with it as an embed', (link) => `<embed src="${link}">`),
  embed('opens a page with it as a video', (link) => `<video src="${link}"></video>`),
  embed('opens a page with it as audio', (link) => `<audio src="${link}"></audio>`),
  embed('opens a page with it as a script', (link) => `<script src="${link}"></script>`),
  embed(
    'opens a page with it as a style sheet',
    (link) => `<link rel="stylesheet" href="${link}">`,
  ),
  // Headless Chromium doesn't load icons.
  embed('opens a page with it as an icon', (link) => `<link rel="icon" href="${link}">`, {
    ...{ chromium: 0, firefox: 1, webkit: 1 },
  }),
  embed('opens a page that fetches it', (link) => `<script>fetch('${link}')</script>`),
  embed(
    'opens a page that fetches it without CORS',
    (link) => `<script>fetch('${link}', { mode: 'no-cors' })</script>`,
  ),
  {
    does: 'clicks on a link elsewhere that pings it',
    ...{ counts: 0, because: 'a ping is a POST, and Firefox sends none' },
    asks: { chromium: 1, firefox: 0, webkit: 1 },
    html: (link) => anchor('/elsewhere', `ping="${link}"`),
    act: click,
  },
];
