import type { TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { failed, patientMs, useAggregator } from '../../helpers/aggregator.ts';
import { day, makeClicks } from '../../helpers/clicks.ts';
import {
  answerCutOff,
  cancellation,
  conflictAt,
  connectionLost,
  type Fault,
  serviceError,
  times,
} from '../../helpers/faults.ts';

const run = useAggregator();

describe('every click counts exactly once despite', () => {
  test.each<[string, (fail: () => boolean) => Fault]>([
    [
      'a conflict on the hot link',
      (fail) => ({ before: (input) => (fail() ? conflictAt('LINK#', input) : undefined) }),
    ],
    [
      'throttling at every position',
      (fail) => ({
        before: (input) => (fail() ? cancellation(input, { Code: 'ThrottlingError' }) : undefined),
      }),
    ],
    [
      'a throttled request',
      (fail) => ({
        before: () =>
          fail() ? serviceError('ProvisionedThroughputExceededException', 400) : undefined,
      }),
    ],
    [
      'a failing server',
      (fail) => ({ before: () => (fail() ? serviceError('InternalServerError', 500) : undefined) }),
    ],
    [
      'an answer that is lost after the commit',
      (fail) => ({ after: () => (fail() ? connectionLost() : undefined) }),
    ],
    [
      'an answer that is cut off after the commit',
      (fail) => ({ after: () => (fail() ? answerCutOff() : undefined) }),
    ],
  ])('%s', async (_, makeFault) => {
    const code = await run.stack.createLink();

    const response = await run.stack.deliver(makeClicks(5, code), makeFault(times(7)), patientMs);

    expect(response).toEqual(failed());
    expect(await run.stack.readLink(code)).toEqual({ clicks: 5, days: { [day]: 5 } });
  });

  test.each([
    ['that fits into one transaction', 40],
    ['that needs many transactions', 200],
  ])("a lasting conflict %s, during which only that link's clicks fail", async (_, count) => {
    const [hot, cool] = [await run.stack.createLink(), await run.stack.createLink()];
    const bodies = [...makeClicks(count, hot), ...makeClicks(20, cool)];

    let waiting = 20;
    const fault = {
      before: (input: TransactWriteItemsInput) => conflictAt(`LINK#${hot}`, input),
      after: ({ TransactItems = [] }: TransactWriteItemsInput) => {
        waiting -= TransactItems.filter(({ Put }) => Put?.Item?.code?.S === cool).length;
        // On a machine of any speed, the deadline passes once all others are counted.
        if (waiting === 0) vi.setSystemTime(Date.now() + patientMs);
        return undefined;
      },
    };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    onTestFinished(() => void vi.useRealTimers());
    const response = await run.stack.deliver(bodies, fault, patientMs);
    vi.useRealTimers();
    const failedCodes = run.failures().map((failure) => failure.code);
    await run.stack.deliver(bodies, {}, patientMs);

    expect(response?.batchItemFailures).toHaveLength(count);
    expect(new Set(run.failures().map(({ reason }) => reason))).toEqual(new Set(['out-of-time']));
    expect(new Set(failedCodes)).toEqual(new Set([hot]));
    expect(await run.stack.readLink(hot)).toEqual({ clicks: count, days: { [day]: count } });
    expect(await run.stack.readLink(cool)).toEqual({ clicks: 20, days: { [day]: 20 } });
  });
});
