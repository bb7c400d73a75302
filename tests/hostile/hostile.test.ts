import type { Context } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { parseClick } from '../../lib/clicks/click.ts';
import { findAnswer, operations } from '../helpers/openapi.ts';
import { useOutput } from '../helpers/output.ts';
import { entryPoints } from './entries.ts';
import { readEntryPoints, useService } from './service.ts';

type Handler = (event: object, context: Context) => Promise<Answer | undefined>;
interface Answer {
  statusCode?: number;
  body?: string;
}

/**
 * A hostile request may take this many times the CPU of a normal one. The worst take 8 times as much:
 * 60 KB of nested JSON. A referrer once took 500 times. Large requests are compared with small ones
 * too, because what is too long must be refused unread.
 */
const margin = 20;
/** Below this, a garbage collection is more than the request. On a Lambda of 512 MB, it is 20 ms. */
const floorMs = 6;
/** On a busy machine, one measurement says little. */
const attempts = 8;

const service = useService();
const output = useOutput();
let packaged: Awaited<ReturnType<typeof readEntryPoints>>;
beforeAll(async () => {
  packaged = await readEntryPoints();
});

const names = Object.keys(entryPoints(''));
const publishing = ['GET /{code}', 'POST /live/try'];

test('each route, authorizer and event source that is deployed has hostile input', () => {
  const { functionOf, functions } = packaged;

  expect(names.toSorted()).toEqual(Object.keys(functionOf).toSorted());
  expect(new Set(Object.values(functionOf)).size).toBe(functions.length);
});

async function load(name: string): Promise<Handler> {
  const { handler } = await import(`../../functions/${packaged.functionOf[name]}.ts`);
  return handler as Handler;
}

/**
 * Runs the handler, and returns its answer and the milliseconds of CPU that its thread took: those of
 * the process would include the garbage of earlier requests.
 */
async function measure(handler: Handler, event: object) {
  const start = process.threadCpuUsage();
  const answer = await handler(event, makeContext(60_000));
  const { user, system } = process.threadCpuUsage(start);
  return { answer, cpuMs: (user + system) / 1_000 };
}

/** What is wrong with an answer, or with the log; undefined if nothing is. */
function findFault(name: string, { statusCode = 0, body = '' }: Answer = {}): string | undefined {
  const operation = operations.get(name);
  // 403 is for whoever bypasses CloudFront.
  const isKnown = !operation || statusCode === 403 || findAnswer(operation, statusCode);
  if (!isKnown || statusCode >= 500) return `the status ${statusCode}`;
  if (statusCode >= 400 && body.length > 2_000) return `an answer of ${body.length} characters`;
  const longest = Math.max(0, ...output.lines().map((line) => JSON.stringify(line).length));
  return longest > 5_000 ? `a log line of ${longest} characters` : undefined;
}

describe.each(names)('%s', (name) => {
  test('answers whatever comes, in not much more CPU than a normal request', async () => {
    const handler = await load(name);
    const { normal, hostile } = entryPoints(service.token)[name] ?? expect.fail();
    const costs: number[] = [];
    service.published.length = 0;
    for (let run = 0; run < 40; run += 1) {
      const { answer, cpuMs } = await measure(handler, normal(run));
      if (Number(answer?.statusCode) >= 400) expect.fail(`expected success; got ${answer?.body}`);
      costs.push(cpuMs);
    }
    const limitMs = Math.max(floorMs, margin * Math.min(...costs));

    for (const event of hostile()) {
      output.clear();
      let leastMs = Number.POSITIVE_INFINITY;
      for (let run = 0; run < attempts && leastMs > limitMs; run += 1) {
        const { answer, cpuMs } = await measure(handler, event);
        leastMs = Math.min(leastMs, cpuMs);
        const fault = findFault(name, answer);
        if (fault) expect.fail(`expected a proper answer; got ${fault} to ${describeEvent(event)}`);
      }
      if (leastMs > limitMs) {
        expect.fail(
          `expected at most ${limitMs} ms of CPU; got ${leastMs} for ${describeEvent(event)}`,
        );
      }
    }
    // Otherwise, nothing would read the headers of a visit.
    expect(service.published.length > 0).toBe(publishing.includes(name));
    expect(service.published.filter((detail) => !isSmallClick(detail))).toEqual([]);
  });
});

function isSmallClick(detail: string): boolean {
  return detail.length < 500 && parseClick(`{"detail":${detail}}`).code === 'abcd';
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
