import { describe, expect, test } from 'vitest';
import {
  createLimitedTable,
  increment,
  keyOfLink,
  updates,
} from '../../helpers/limited-table-requests.ts';

const hot = 'LINK#hot';

describe('a new table', () => {
  test('has four partitions, for 4,000 units a second', () => {
    expect(createLimitedTable().table.partitions).toBe(4);
  });

  test('has room for twice what it had to take before', () => {
    expect(createLimitedTable({ previousPeakUnits: 5_100 }).table.partitions).toBe(11);
  });
});

describe('a partition', () => {
  test('that has given 1,000 units throttles', async () => {
    const { table, use, transact, answers } = createLimitedTable();
    await use(hot, 1_000);

    transact(updates('hot'));

    expect(answers).toEqual([
      { status: 400, error: 'TransactionCanceledException', codes: ['ThrottlingError'] },
    ]);
    expect(table.throttled).toBe(1);
  });

  test('throttles the positions of its items only', async () => {
    const world = createLimitedTable();
    await world.use(hot, 2_000);
    const cold = await findCold(world);

    world.transact(updates(cold, 'hot'));

    expect(world.answers).toMatchObject([{ codes: ['None', 'ThrottlingError'] }]);
  });

  test('gets back 1,000 units a second', async () => {
    const { time, use, transact, settle, answers } = createLimitedTable();
    await use(hot, 2_000);

    await time.pass(999);
    transact(updates('hot'));
    await time.pass(2);
    transact(updates('hot'));
    await settle(2);

    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
  });

  test('does not throttle reads, which have a limit of their own', async () => {
    const { use, handle, answers } = createLimitedTable();
    await use(hot, 1_000);

    handle('GetItem', { TableName: 'ClickTable', Key: keyOfLink('hot') });

    expect(answers).toMatchObject([{ status: 200 }]);
  });

  test('throttles a write outside of transactions with the error of such writes', async () => {
    const { use, handle, answers } = createLimitedTable();
    await use(hot, 1_000);

    handle('UpdateItem', increment(keyOfLink('hot')));

    expect(answers).toMatchObject([{ status: 400, error: 'ThrottlingException' }]);
  });
});

describe('partitions split', () => {
  test('after ten minutes of throttling', async () => {
    const world = createLimitedTable();

    await throttle(world, 600);
    const before = world.table.partitions;
    await throttle(world, 1);

    expect(before).toBe(4);
    expect(world.table.partitions).toBe(8);
    expect(world.table.throttled).toBe(601);
  });
});

type World = ReturnType<typeof createLimitedTable>;

/** Takes all units of a partition in each of so many seconds, and is throttled. */
async function throttle({ use, transact, time }: World, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await use(hot, 1_000);
    transact(updates('hot'));
    await time.pass(1_000);
  }
}

/** A link that another partition has than the one that throttles. */
async function findCold({ transact, settle, answers }: World): Promise<string> {
  for (const link of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    transact(updates(link));
    await settle(1);
    const [answer] = answers.splice(0);
    if (answer?.status === 200) return link;
  }
  return expect.unreachable('four partitions have these seven links');
}
