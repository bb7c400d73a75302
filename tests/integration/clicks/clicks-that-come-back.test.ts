import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../evidence/kit/lambda-context.ts';
import { makeBatch } from '../../../evidence/kit/sqs-events.ts';
import { startAggregator } from '../../helpers/aggregator.ts';
import { recordOutput } from '../../helpers/output.ts';

const dyingAggregator = path.join(import.meta.dirname, '../../helpers/dying-aggregator.ts');
const dayMs = 24 * 60 * 60 * 1000;
const date = '2026-05-26';

let stack: Awaited<ReturnType<typeof startAggregator>>;
let output: ReturnType<typeof recordOutput>;

beforeAll(async () => {
  stack = await startAggregator();
});
afterAll(async () => {
  await stack.stop();
});
beforeEach(() => {
  output = recordOutput();
});
afterEach(() => {
  vi.useRealTimers();
  output.undo();
});

const clicks = (code: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ id: `${code}-${index}`, detail: { code, at: `${date}T10:00:00Z` } }),
  );

/** Hands a batch to an instance that is killed before its commit is sent, or as its answer comes. */
async function deliverAndKill(moment: 'before' | 'after', bodies: string[]) {
  const job = JSON.stringify({ endpoint: await stack.client.config.endpoint?.(), moment, bodies });
  const child = spawn(process.execPath, [dyingAggregator, job], { stdio: 'ignore' });
  const [, signal] = await once(child, 'exit');
  return signal;
}

/** Hands a batch to an instance that has never run, and tells what became of it. */
async function deliver(bodies: string[]) {
  const response = await stack.newInstance()(makeBatch(bodies), makeContext());
  const { ClicksCounted, DuplicateClicks } = output.lines().findLast((line) => '_aws' in line);
  return { failed: response?.batchItemFailures, counted: ClicksCounted, again: DuplicateClicks };
}

describe('when an instance is killed, its messages come back and', () => {
  test('count, if it had not committed', async () => {
    await stack.createLink('killed-before');
    const bodies = clicks('killed-before', 5);

    const signal = await deliverAndKill('before', bodies);
    const left = await stack.readLink('killed-before');

    expect([signal, left]).toEqual(['SIGKILL', { clicks: 0, days: {} }]);
    expect(await deliver(bodies)).toEqual({ failed: [], counted: 5, again: 0 });
    expect(await stack.readLink('killed-before')).toEqual({ clicks: 5, days: { [date]: 5 } });
  });

  test('are duplicates, if it had', async () => {
    await stack.createLink('killed-after');
    const bodies = clicks('killed-after', 5);

    const signal = await deliverAndKill('after', bodies);
    const left = await stack.readLink('killed-after');

    expect([signal, left]).toEqual(['SIGKILL', { clicks: 5, days: { [date]: 5 } }]);
    expect(await deliver(bodies)).toEqual({ failed: [], counted: 0, again: 5 });
    expect(await stack.readLink('killed-after')).toEqual({ clicks: 5, days: { [date]: 5 } });
  });
});

describe('redriven after 13 days', () => {
  const passDays = (days: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * dayMs });
  };

  test('a click that had been counted is a duplicate, and one that had not counts', async () => {
    await stack.createLink('redriven');
    const [counted = '', uncounted = ''] = clicks('redriven', 2);
    await deliver([counted]);

    passDays(13);

    expect(await deliver([uncounted, counted])).toEqual({ failed: [], counted: 1, again: 1 });
    expect(await stack.readLink('redriven')).toEqual({ clicks: 2, days: { [date]: 2 } });
  });

  test('a click whose link was missing counts once that exists, on its own day', async () => {
    const [body = ''] = clicks('came-late', 1);
    const { failed } = await deliver([body]);
    await stack.createLink('came-late');

    passDays(13);

    expect(failed).toHaveLength(1);
    expect(await deliver([body])).toEqual({ failed: [], counted: 1, again: 0 });
    expect(await stack.readLink('came-late')).toEqual({ clicks: 1, days: { [date]: 1 } });
  });
});
