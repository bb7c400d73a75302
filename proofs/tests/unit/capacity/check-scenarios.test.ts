import { expect, test } from 'vitest';
import { eventBytes, pollBacklog, writeToTable } from '../../../capacity/check/scenarios.ts';

test('a mapping that is let loose on a backlog gathers full batches', () => {
  const settings = { batchSize: 10, batchWindowMs: 0, maximumConcurrency: 3 };

  const { running, inFlight, batch } = pollBacklog(settings, 100, 1);

  expect(running).toEqual([3, 3]);
  expect(inFlight).toBe(30);
  expect(batch).toHaveLength(10);
});

test('an event has the bytes of its records', () => {
  const message = { id: 'message-1', body: '{"a":"b"}', sentMs: 0, receiveCount: 1 };

  const [one = 0, two = 0] = [eventBytes([message]), eventBytes([message, message])];

  // The list around them is {"Records":[…]}, and a comma stands between them.
  const record = one - '{"Records":[]}'.length;
  expect(record).toBeGreaterThan(500);
  expect(two - one).toBe(record + 1);
});

test('a table lets through what is below its limit', async () => {
  const units = await writeToTable({
    ...{ unitsPerSecond: 500, partitionKeys: 1, previousPeakUnits: 0 },
  });

  expect(units).toBe(500);
});
