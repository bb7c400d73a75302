import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../fixtures/sqs-events.ts';
import { failed, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClicks } from '../../helpers/clicks.ts';
import { injectFault } from '../../helpers/faults.ts';

const dyingAggregator = path.join(import.meta.dirname, '../../helpers/dying-aggregator.ts');
const dayMs = 24 * 60 * 60 * 1000;
const run = useAggregator();

afterEach(() => {
  vi.useRealTimers();
});

/** Delivers a batch to an instance that is killed before its commit or after the commit's answer. */
async function deliverAndKill(moment: 'before' | 'after', bodies: string[]) {
  const job = JSON.stringify({ endpoint: run.stack.endpoint, moment, bodies });
  const child = spawn(process.execPath, [dyingAggregator, job], { stdio: 'ignore' });
  const [, signal] = await once(child, 'exit');
  return signal;
}

/** Delivers a batch to a new instance and counts the outcomes. */
async function deliver(bodies: string[]) {
  const response = await run.stack.deliver(bodies);
  const { ClicksCounted: counted, DuplicateClicks: duplicates } = run.metrics().at(-1) ?? {};
  return { counted, duplicates, failed: response?.batchItemFailures.length };
}

describe('redelivered messages of a killed instance', () => {
  test('count if it had not committed them', async () => {
    await run.stack.createLink('killed-before');
    const bodies = makeClicks(5, 'killed-before');

    const signal = await deliverAndKill('before', bodies);
    const left = await run.stack.readLink('killed-before');

    expect([signal, left]).toEqual(['SIGKILL', { clicks: 0, days: {} }]);
    expect(await deliver(bodies)).toEqual({ counted: 5, duplicates: 0, failed: 0 });
    expect(await run.stack.readLink('killed-before')).toEqual({ clicks: 5, days: { [day]: 5 } });
  });

  test('are duplicates if it had committed them', async () => {
    await run.stack.createLink('killed-after');
    const bodies = makeClicks(5, 'killed-after');

    const signal = await deliverAndKill('after', bodies);
    const left = await run.stack.readLink('killed-after');

    expect([signal, left]).toEqual(['SIGKILL', { clicks: 5, days: { [day]: 5 } }]);
    expect(await deliver(bodies)).toEqual({ counted: 0, duplicates: 5, failed: 0 });
    expect(await run.stack.readLink('killed-after')).toEqual({ clicks: 5, days: { [day]: 5 } });
  });
});

test('a copy takes no request if the same instance counted its click', async () => {
  await run.stack.createLink('copied');
  let requests = 0;
  const countRequest = () => {
    requests += 1;
    return undefined;
  };
  const instance = run.stack.newInstance((client) => injectFault(client, { before: countRequest }));
  const batch = makeBatch(makeClicks(1, 'copied'));

  const responses = [await instance(batch, makeContext()), await instance(batch, makeContext())];

  expect(responses).toEqual([failed(), failed()]);
  expect(requests).toBe(1);
});

describe('after a redrive on day 13', () => {
  const passDays = (days: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * dayMs });
  };

  test('a counted click is a duplicate, and an uncounted one counts', async () => {
    await run.stack.createLink('redriven');
    const [counted = '', uncounted = ''] = makeClicks(2, 'redriven');
    await deliver([counted]);

    passDays(13);

    expect(await deliver([uncounted, counted])).toEqual({ counted: 1, duplicates: 1, failed: 0 });
    expect(await run.stack.readLink('redriven')).toEqual({ clicks: 2, days: { [day]: 2 } });
  });

  test('a click counts on its own day if its link was created meanwhile', async () => {
    const [body = ''] = makeClicks(1, 'came-late');
    const { failed } = await deliver([body]);
    await run.stack.createLink('came-late');

    passDays(13);

    expect(failed).toBe(1);
    expect(await deliver([body])).toEqual({ counted: 1, duplicates: 0, failed: 0 });
    expect(await run.stack.readLink('came-late')).toEqual({ clicks: 1, days: { [day]: 1 } });
  });
});
