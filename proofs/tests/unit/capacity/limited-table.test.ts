import { describe, expect, test } from 'vitest';
import {
  createLimitedTable,
  increment,
  keyOfLink,
  puts,
  updates,
} from '../../helpers/limited-table-requests.ts';

const ifThere = { ConditionExpression: 'attribute_exists(PK)' };

describe('units are charged', () => {
  test("to the partitions of a transaction's items", async () => {
    const { table, transact, settle } = createLimitedTable();

    transact({
      TransactItems: [...puts('PAGE', 400).TransactItems, ...updates('spring').TransactItems],
    });
    await settle(1);

    // The link's item takes 2 units, in the same partition or another.
    expect(table.busiestPartitionUnits).toBeGreaterThanOrEqual(400);
    expect(table.busiestPartitionUnits).toBeLessThanOrEqual(402);
  });

  test('for a cancelled transaction, too', async () => {
    const { table, use, transact, settle, answers } = createLimitedTable();
    await use('PAGE', 200);

    transact(puts('PAGE', 200, 'attribute_not_exists(PK)'));
    await settle(1);

    expect(answers).toMatchObject([{ codes: ['ConditionalCheckFailed'] }]);
    expect(table.busiestPartitionUnits).toBe(400);
  });

  test('for each of several transactions that are cancelled at about the same time', async () => {
    const { table, statistics, transact, settle } = createLimitedTable();
    const links = Array.from({ length: 50 }, (_, index) => `link-${index}`);
    transact(updates('spring'));
    await settle(1);

    for (const link of links) {
      transact({ TransactItems: [{ Update: { ...increment(keyOfLink(link)), ...ifThere } }] });
    }
    await settle(1 + links.length);

    // An item of less than 1 KB takes 2 units.
    expect(statistics.totals['write units of cancelled transactions']).toBe(100);
    expect(table.busiestPartitionUnits).toBeLessThan(100);
  });

  test.each([
    ['that succeeds', {}, 200],
    ['whose condition fails', ifThere, 400],
  ])('once for a single write %s', async (_, condition, status) => {
    const { table, handle, settle, answers } = createLimitedTable();

    handle('UpdateItem', { ...increment(keyOfLink('hot')), ...condition });
    await settle(1);

    expect(answers).toMatchObject([{ status }]);
    expect(table.busiestPartitionUnits).toBe(1);
  });
});

describe('an outage', () => {
  test('answers 500 at once and writes nothing', async () => {
    const { table, time, transact, answers } = createLimitedTable({ isDown: () => true });

    transact(updates('spring'));
    const atOnce = [...answers];
    await time.pass(1_000);

    expect(atOnce).toMatchObject([{ status: 500, error: 'InternalServerError' }]);
    expect([...table.items.scan()]).toEqual([]);
    expect(table.requests).toBe(0);
  });
});
