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
import { createServiceClient, type ServiceClient } from '../../local/service-client.ts';
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
// paints it. Its digits then roll for another 0.6 s.
const observe = `
  window.sightings = [];
  new MutationObserver(() => {
    const clicks = Number(document.querySelector('.total .figure .hidden').textContent.replaceAll(',', ''));
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
    const screen = await openScreen(browser, outputs.api, code);
    const startsMs = await sendClicks(service, code, forSeconds, signal);
    const clicks = startsMs.length;
    const readOnScreen = async () => (await screen.readSightings()).at(-1)?.clicks ?? 0;
    const isStored = async () => (await readStored(service, code)) === clicks;
    const isSeen = async () => (await readOnScreen()) === clicks;
    await pollUntil(isStored, { timeoutMs: countTimeoutMs }).catch(() => undefined);
    await pollUntil(isSeen, { timeoutMs: pushTimeoutMs }).catch(() => undefined);
    const sightings = await screen.readSightings();
    // A total doesn't say which clicks are in it, so delays can be swapped, but their sum is the same.
    const delaysMs = startsMs.flatMap((startMs, index) => {
      const seen = sightings.find((sighting) => sighting.clicks > index);
      return seen ? [seen.atMs - startMs] : [];
    });
    const stored = await readStored(service, code);
    return { clicks, stored, onScreen: await readOnScreen(), delaysMs };
  }
}

/** Opens the link's page, signs in, waits until it is live, and records every total. */
async function openScreen(browser: Browser, api: string, code: string) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${api}/#/links/${code}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('.live-status.is-live').waitFor();
  await page.locator('.total .figure').waitFor();
  await page.evaluate(observe);
  return {
    /** The totals on the screen, with their epoch milliseconds. */
    readSightings: () => page.evaluate<{ atMs: number; clicks: number }[]>('sightings'),
  };
}

/**
 * Opens the link at an even rate, without waiting for answers. Returns the start of each GET, in epoch
 * milliseconds.
 * @throws {Error} if one is not redirected, because it would not count.
 */
async function sendClicks(
  service: ServiceClient,
  code: string,
  forSeconds: number,
  signal: AbortSignal,
): Promise<number[]> {
  const count = Math.round(clicksPerSecond * forSeconds);
  const beginMs = Date.now();
  const answers: ReturnType<ServiceClient['openLink']>[] = [];
  const startsMs: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueMs = beginMs + (index * 1_000) / clicksPerSecond;
    await pause(Math.max(0, dueMs - Date.now()), undefined, { signal });
    startsMs.push(Date.now());
    answers.push(service.openLink(code));
  }
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  const failed = statuses.find((status) => status !== 302);
  if (failed === undefined) return startsMs;
  throw new Error(`Expected ${code} to answer 302; got ${failed}.`);
}

async function readStored(service: ServiceClient, code: string): Promise<number> {
  const { PK, SK } = linkKey(code);
  return Number((await service.readItem(PK, SK))?.clicks ?? 0);
}
