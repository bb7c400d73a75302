import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { nanoid } from 'nanoid';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pollUntil } from '../../local/engines/poll-until.ts';
import { link } from '../helpers/items.ts';
import { startTestStack } from '../helpers/test-stack.ts';
import { actions, anchor, type ByEngine, look } from './actions.ts';
import { type BrowserEngine, browserEngines, type EngineBrowser } from './browsers.ts';
import { startProxy, startSites } from './sites.ts';

const cleanup = new AsyncDisposableStack();
let stack: Awaited<ReturnType<typeof startTestStack>>;
let sites: Awaited<ReturnType<typeof startSites>>;
let proxy: Awaited<ReturnType<typeof startProxy>>;

beforeAll(async () => {
  sites = await startSites();
  cleanup.defer(sites.stop);
  stack = await startTestStack();
  cleanup.defer(stack.stop);
  proxy = await startProxy(stack.outputs.api);
  cleanup.defer(proxy.stop);
  // The first request loads the functions.
  await openUntilRedirected(await createLink());
});
afterAll(() => cleanup.disposeAsync());

/** Stores a link to this machine, which the service itself rejects. */
async function createLink(isFile = false): Promise<string> {
  const code = nanoid(10);
  const url = `${sites.destination}/${isFile ? 'file' : 'there'}/`;
  await stack.dynamodb.send(
    new PutCommand({ TableName: stack.outputs.tableName, Item: { ...link(code), url } }),
  );
  return code;
}

/** Counts one click. */
const openUntilRedirected = (code: string) =>
  pollUntil(async () => (await stack.openLink(code)).status === 302, { timeoutMs: 120_000 });

async function readClicks(code: string): Promise<unknown> {
  const { PK, SK } = link(code);
  return (await stack.readItem(PK, SK))?.clicks;
}

const names = Object.keys(browserEngines) as BrowserEngine[];

describe.each(names.filter((name) => !browserEngines[name].findProblem()))('%s', (name) => {
  let browser: EngineBrowser;
  beforeAll(async () => {
    browser = await browserEngines[name].launch();
  });
  afterEach(() => browser.closeTabs());
  afterAll(() => browser.close());

  const read = (value: ByEngine) => (typeof value === 'number' ? value : value[name]);

  test.each(actions)('a visitor $does', async ({ act = look, html = anchor, ...action }) => {
    const code = await createLink(action.isFile);
    const address = `${proxy.url}/${code}`;
    sites.pages.set(`/${code}`, html(address));
    const waitForRequests = (count: ByEngine) =>
      expect.poll(() => proxy.countRequests(code)).toBeGreaterThanOrEqual(read(count));

    const page = `${sites.site}/${code}`;
    await act({ browser, engine: name, page, link: address, waitForRequests });

    await waitForRequests(action.asks ?? action.counts);
    // This click comes after all of the browser's.
    await openUntilRedirected(code);
    await expect.poll(() => readClicks(code)).toBe(read(action.counts) + 1);
  });
});
