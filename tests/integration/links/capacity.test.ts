import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createLink } from '../../../lib/links/link-creation.ts';
import { isoDay, link } from '../../helpers/items.ts';
import { useTable } from '../../helpers/test-table.ts';

const table = useTable();

/** Runs some work and returns the write units of the table, indexes included, and of its indexes. */
async function measure(client: DynamoDBClient, work: () => Promise<unknown>) {
  const consumed: ConsumedCapacity[] = [];
  client.middlewareStack.add(
    (next) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: 'INDEXES' });
      const result = await next(args);
      const output = result.output as { ConsumedCapacity?: ConsumedCapacity[] };
      consumed.push(...(output.ConsumedCapacity ?? []));
      return result;
    },
    { step: 'initialize', name: 'measure' },
  );
  await work();
  client.middlewareStack.remove('measure');
  const sum = (read: (capacity: ConsumedCapacity) => number | undefined) =>
    consumed.reduce((units, capacity) => units + (read(capacity) ?? 0), 0);
  return {
    total: sum(({ CapacityUnits }) => CapacityUnits),
    index: sum((each) => each.GlobalSecondaryIndexes?.LinksByOwner?.CapacityUnits),
  };
}

test("counting a click costs the same with and without an owner, and doesn't write to the index", async () => {
  const owned = { owner: 'anna' };
  await table.put({ ...link('owned'), ...owned }, link('ownerless'));
  const countOne = (code: string) => () => table.countClick(code, isoDay());
  await countOne('owned')();
  await countOne('ownerless')();

  const withOwner = await measure(table.client, countOne('owned'));
  const without = await measure(table.client, countOne('ownerless'));

  expect(withOwner.index).toBe(0);
  expect(withOwner.total).toBeGreaterThan(0);
  expect(withOwner.total).toBe(without.total);
});

test('creating a link writes to the index, so the index is measured', async () => {
  const client = DynamoDBDocumentClient.from(table.client);
  const access = { client, baseClient: table.client, tableName: table.tableName };
  const request = { url: 'https://example.com/', owner: 'anna', linksPerDay: 10 };

  const { index } = await measure(table.client, () => createLink(access, request));

  expect(index).toBeGreaterThan(0);
});
