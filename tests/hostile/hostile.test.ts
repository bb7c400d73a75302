import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { readClick } from '../../lib/clicks/click.ts';
import { findAnswer, operations } from '../helpers/openapi.ts';
import { useOutput } from '../helpers/output.ts';
import { entryPoints } from './entries.ts';
import { useService } from './service.ts';

type Handler = (event: object, context: Context) => Promise<Answer | undefined>;
interface Answer {
  statusCode?: number;
  body?: string;
}

/**
 * A hostile request may take this many times the CPU of a normal one. The worst take 8 times as much:
 * 60 KB of nested JSON. A referrer once took 500 times as much. Large requests have the same limit,
 * because a request that is too long must be rejected without being parsed.
 */
const margin = 20;
/** Below this, garbage collection and other processes dominate. It is 33 ms on a Lambda of 512 MB. */
const floorMs = 10;
/** Parsing this takes about as long on an idle machine, and longer on a busy one. */
const floorTask = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id, is: {} })));
/** A single measurement is unreliable on a busy machine. */
const attempts = 8;
/** If requests together stay below the limit of one, each does. Then they needn't wait for each other. */
const together = 4;

const service = useService();
const output = useOutput();
const names = Object.keys(entryPoints(''));
const publishing = ['GET /{code}', 'GET /{code}/{rest+}'];

test('every function has hostile input', async () => {
  const files = (await readdir('functions')).map((file) => path.parse(file).name);
  // A schedule sends no input. The other's stream has only what the service's own functions write.
  const functions = files.filter((name) => !['purge-links', 'replicate-links'].includes(name));
  const tested = Object.values(entryPoints('')).map(({ functionName }) => functionName);

  expect(new Set(tested)).toEqual(new Set(functions));
});

async function load(functionName: string): Promise<Handler> {
  const { handler } = await import(`../../functions/${functionName}.ts`);
  return handler as Handler;
}

/**
 * Handles requests at once. Returns their answers and the thread's CPU in milliseconds; the process's
 * would include garbage collection of earlier requests.
 */
async function measure(handler: Handler, ...events: object[]) {
  const start = process.threadCpuUsage();
  const answers = await Promise.all(events.map((event) => handler(event, makeContext(60_000))));
  const { user, system } = process.threadCpuUsage(start);
  return { answers, cpuMs: (user + system) / 1_000 };
}

/** Handles each of these requests within this limit and with a proper answer, or fails. */
async function withstand(name: string, handler: Handler, events: object[], limitMs: number) {
  output.clear();
  let leastMs = Number.POSITIVE_INFINITY;
  const runs = events.length > 1 ? 1 : attempts;
  for (let run = 0; run < runs; run += 1) {
    const { answers, cpuMs } = await measure(handler, ...events);
    leastMs = Math.min(leastMs, cpuMs);
    for (const [index, event] of events.entries()) {
      const fault = findFault(name, answers[index]);
      if (fault) expect.fail(`expected a proper answer; got ${fault} to ${describeEvent(event)}`);
    }
    if (cpuMs <= limitMs) return;
    const floor = await measure(async () => JSON.parse(floorTask), {});
    if (runs > 1 && cpuMs <= floor.cpuMs) return;
  }
  if (events.length > 1) {
    for (const event of events) await withstand(name, handler, [event], limitMs);
    return;
  }
  const [event = {}] = events;
  expect.fail(`expected at most ${limitMs} ms of CPU; got ${leastMs} for ${describeEvent(event)}`);
}

/** Describes a fault of the answer or the log. Undefined if there is none. */
function findFault(name: string, { statusCode = 0, body = '' }: Answer = {}): string | undefined {
  const operation = operations.get(name);
  // 403 is for requests that bypass CloudFront.
  const isKnown = !operation || statusCode === 403 || findAnswer(operation, statusCode);
  if (!isKnown || statusCode >= 500) return `the status ${statusCode}`;
  if (statusCode >= 400 && body.length > 2_000) return `an answer of ${body.length} characters`;
  const longest = Math.max(0, ...output.lines().map((line) => JSON.stringify(line).length));
  return longest > 5_000 ? `a log line of ${longest} characters` : undefined;
}

describe.each(names)('%s', (name) => {
  test('answers hostile input within 20 times the CPU of a normal request', async () => {
    const { functionName, normal, hostile } = entryPoints(service.token)[name] ?? expect.fail();
    const handler = await load(functionName);
    const costs: number[] = [];
    service.published.length = 0;
    for (let run = 0; run < 20; run += 1) {
      const { answers, cpuMs } = await measure(handler, normal(run));
      const [answer] = answers;
      if (Number(answer?.statusCode) >= 400) expect.fail(`expected success; got ${answer?.body}`);
      costs.push(cpuMs);
    }
    const limitMs = Math.max(floorMs, margin * Math.min(...costs));

    let waiting: object[] = [];
    for (const event of hostile()) {
      waiting.push(event);
      if (waiting.length < together) continue;
      await withstand(name, handler, waiting, limitMs);
      waiting = [];
    }
    if (waiting.length > 0) await withstand(name, handler, waiting, limitMs);
    // Headers of a visit are read only if it publishes a click.
    expect(service.published.length > 0).toBe(publishing.includes(name));
    expect(service.published.filter((detail) => !isSmallClick(detail))).toEqual([]);
  });
});

function isSmallClick(detail: string): boolean {
  return detail.length < 500 && readClick({ detail: JSON.parse(detail) }).code === 'abcd';
}

function describeEvent(event: object): string {
  const texts: string[] = [];
  JSON.stringify(event, (key, value) => {
    if (typeof value === 'string' && value.length > 200) {
      texts.push(`${key}: ${JSON.stringify(value.slice(0, 60))}… (${value.length})`);
    }
    return value;
  });
  return texts.join(', ') || JSON.stringify(event).slice(0, 500);
}
