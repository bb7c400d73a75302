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

  test('has capacity for twice its previous peak', () => {
    expect(createLimitedTable({ previousPeakUnits: 5_100 }).table.partitions).toBe(11);
  });
});

describe('a partition', () => {
  test('throttles after 1,000 units', async () => {
    const { table, use, transact, answers } = createLimitedTable();
    await use(hot, 1_000);

    transact(updates('hot'));

    expect(answers).toEqual([
      { status: 400, error: 'TransactionCanceledException', codes: ['ThrottlingError'] },
    ]);
    expect(table.throttled).toBe(1);
  });

  test('throttles only the positions of its items', async () => {
    const world = createLimitedTable();
    await world.use(hot, 2_000);
    const cold = await findCold(world);

    world.transact(updates(cold, 'hot'));

    expect(world.answers).toMatchObject([{ codes: ['None', 'ThrottlingError'] }]);
  });

  test('regains 1,000 units a second', async () => {
    const { time, use, transact, settle, answers } = createLimitedTable();
    await use(hot, 2_000);

    await time.pass(999);
    transact(updates('hot'));
    await time.pass(2);
    transact(updates('hot'));
    await settle(2);

    expect(answers.map(({ status }) => status)).toEqual([400, 200]);
  });

  test('does not throttle reads, which have their own limit', async () => {
    const { use, handle, answers } = createLimitedTable();
    await use(hot, 1_000);

    handle('GetItem', { TableName: 'ClickTable', Key: keyOfLink('hot') });

    expect(answers).toMatchObject([{ status: 200 }]);
  });

  test('throttles a single write with a ThrottlingException', async () => {
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

/** Uses up a partition's units in each of these seconds. */
async function throttle({ use, transact, time }: World, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    await use(hot, 1_000);
    transact(updates('hot'));
    await time.pass(1_000);
  }
}

/** A link in another partition than the throttled one. */
async function findCold({ transact, settle, answers }: World): Promise<string> {
  for (const link of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    transact(updates(link));
    await settle(1);
    const [answer] = answers.splice(0);
    if (answer?.status === 200) return link;
  }
  return expect.unreachable('one of seven links is in another of the four partitions');
}
