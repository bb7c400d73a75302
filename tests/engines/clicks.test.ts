import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pollUntil } from '../../local/engines/poll-until.ts';
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

/** Creates a link to this machine, which the service itself rejects. */
async function createLink(isFile = false): Promise<string> {
  const code = await stack.createLink();
  await stack.dynamodb.send(
    new UpdateCommand({
      TableName: stack.outputs.tableName,
      Key: { PK: `LINK#${code}`, SK: 'META' },
      UpdateExpression: 'SET #url = :url',
      ExpressionAttributeNames: { '#url': 'url' },
      ExpressionAttributeValues: { ':url': `${sites.destination}/${isFile ? 'file' : 'there'}/` },
    }),
  );
  return code;
}

/** Counts one click. */
const openUntilRedirected = (code: string) =>
  pollUntil(async () => (await stack.openLink(code)).status === 302, { timeoutMs: 120_000 });

const readClicks = async (code: string) => (await stack.readStats(code)).clicks;

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
    const link = `${proxy.url}/${code}`;
    sites.pages.set(`/${code}`, html(link));
    const waitForRequests = (count: ByEngine) =>
      expect.poll(() => proxy.countRequests(code)).toBeGreaterThanOrEqual(read(count));

    await act({ browser, engine: name, page: `${sites.site}/${code}`, link, waitForRequests });

    await waitForRequests(action.asks ?? action.counts);
    // This click comes after all of the browser's.
    await openUntilRedirected(code);
    await expect.poll(() => readClicks(code)).toBe(read(action.counts) + 1);
  });
});
