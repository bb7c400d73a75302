import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Browser } from 'playwright-core';
import { localClientConfig } from '../../cli/local-aws.ts';
import { print, printLine } from '../../cli/terminal/print.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { linkKey } from '../../lib/keys.ts';
import { launchBrowser } from '../../local/engines/chromium.ts';
import { pollUntil } from '../../local/engines/poll-until.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { createServiceClient } from '../../local/service-client.ts';
import { startStack } from '../../local/stack/stack.ts';
import { percentile } from '../tools/percentile.ts';

const clicksPerSecond = 20;
const seconds = 30;
const warmUpSeconds = 3;
const countTimeoutMs = 5 * 60_000;
// Without a push, the page reads after half a minute.
const pushTimeoutMs = 45_000;
const goalP95Ms = 1_500;

const description = `Measure the live page on the local stack: from a click's GET to the screen of a page in Chromium.

A click is seen when the total first is at least its position in the order of the clicks. Exits with 1
if the last number on the screen is not the one in the table; a goal that is missed is only reported.`;

// A string, because the browser's types aren't available here. A total counts as seen when the browser
// paints it.
const observe = `
  window.sightings = [];
  new MutationObserver(() => {
    const clicks = Number(document.querySelector('.total .count').textContent.replaceAll(',', ''));
    requestAnimationFrame(() => sightings.push({ atMs: Date.now(), clicks }));
  }).observe(document.querySelector('.total'), { subtree: true, characterData: true, childList: true });
`;

await runProgram(
  createProgram('bench:live', description, 'proofs').action(() =>
    runInterruptibly((signal, keepPrograms) => benchLive(signal, keepPrograms)),
  ),
);

async function benchLive(signal: AbortSignal, keepPrograms: () => void): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const onError = ({ message }: Error) => printLine(`  ${message}`);
  const stack = await startStack({ onProgress: printLine, onError });
  cleanup.defer(stack.stop);
  keepPrograms();
  const { outputs } = stack;
  const dynamodb = new DynamoDBClient(localClientConfig(outputs.dynamodbEndpoint));
  cleanup.defer(() => dynamodb.destroy());
  const sqs = new SQSClient(localClientConfig(outputs.sqsEndpoint));
  cleanup.defer(() => sqs.destroy());
  const service = createServiceClient({ ...outputs, dynamodb, sqs });
  const browser = await launchBrowser();
  cleanup.defer(() => browser.close());

  // Connections, function instances and compiled code are warm after these clicks.
  await measure(warmUpSeconds);
  printLine(`clicking for ${seconds} seconds`);
  const { clicks, stored, onScreen, delaysMs } = await measure(seconds);
  signal.throwIfAborted();
  const [median = 0, p95 = 0] = [0.5, 0.95].map((share) => percentile(delaysMs, share));
  print(
    `${clicks} clicks, ${clicksPerSecond} a second; in the table: ${stored}; on the screen: ${onScreen}
from the start of a click to the screen: median ${median.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms
goal, p95 < ${goalP95Ms} ms: ${p95 < goalP95Ms ? 'met' : 'MISSED'}\n`,
  );
  if (stored !== clicks || onScreen !== clicks) process.exitCode = exitCodes.failure;

  /** Clicks on a new link, whose page is open, and waits until every click is seen or it's too late. */
  async function measure(forSeconds: number) {
    const code = await service.createLink();
    const readSightings = await openScreen(browser, outputs.api, code);
    const clicks = clicksPerSecond * forSeconds;
    const startsMs = await Promise.all(
      Array.from({ length: clicks }, (_, index) => click(code, index)),
    );
    const { PK, SK } = linkKey(code);
    const readStored = async () => Number((await service.readItem(PK, SK))?.clicks ?? 0);
    const readOnScreen = async () => (await readSightings()).at(-1)?.clicks ?? 0;
    const isStored = async () => (await readStored()) === clicks;
    const isSeen = async () => (await readOnScreen()) === clicks;
    await pollUntil(isStored, { timeoutMs: countTimeoutMs }).catch(() => undefined);
    await pollUntil(isSeen, { timeoutMs: pushTimeoutMs }).catch(() => undefined);
    const sightings = await readSightings();
    // A total doesn't say which clicks are in it, so delays can be swapped, but their sum is the same.
    const delaysMs = startsMs.flatMap((startMs, index) => {
      const seen = sightings.find((sighting) => sighting.clicks > index);
      return seen ? [seen.atMs - startMs] : [];
    });
    return { clicks, stored: await readStored(), onScreen: await readOnScreen(), delaysMs };
  }

  /**
   * Opens the link at its time of an even rate. Returns the start of the GET, in epoch milliseconds.
   * @throws {Error} if it is not redirected, because it would not count.
   */
  async function click(code: string, index: number): Promise<number> {
    await pause((index * 1_000) / clicksPerSecond, undefined, { signal });
    const startMs = Date.now();
    const { status } = await service.openLink(code);
    if (status !== 302) throw new Error(`Expected ${code} to answer 302; got ${status}.`);
    return startMs;
  }
}

/** Opens the link's page, signs in, and waits until it is live. Returns a reader of the totals on the screen. */
async function openScreen(browser: Browser, api: string, code: string) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${api}/#/links/${code}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.live-status.is-live').waitFor();
  await page.locator('.total .count').waitFor();
  await page.evaluate(observe);
  /** The totals, with their epoch milliseconds. */
  return () => page.evaluate<{ atMs: number; clicks: number }[]>('sightings');
}
