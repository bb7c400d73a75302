import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeBook, makeConfig } from '../helpers/layer.ts';
import { addDirectly, addToTotal, totalKey } from '../helpers/totals.ts';

interface Payment {
  id: string;
  customer: string;
  cents: number | bigint;
}

const table = useTable();

/** Books a batch of amounts, each as a payment of its own. Returns how many failed. */
async function bookBatch(customer: string, amounts: (number | bigint)[]) {
  const book = makeBook<Payment>(
    ({ cents }) => addToTotal(customer, cents),
    // Powertools hashes JSON, which has no bigint.
    makeConfig({ payloadValidationJmesPath: 'customer' }),
  );
  const results = await Promise.allSettled(
    amounts.map((cents) => book({ id: randomUUID(), customer, cents }, makeContext())),
  );
  return results.filter(({ status }) => status === 'rejected').length;
}

/** Adds one amount after the other, as DynamoDB does. Returns how many it rejected. */
async function addOneByOne(customer: string, amounts: (number | bigint)[]) {
  let rejected = 0;
  for (const amount of amounts) {
    await addDirectly(table.client, customer, amount).catch(() => {
      rejected += 1;
    });
  }
  return rejected;
}

async function readTotal(customer: string) {
  const get = new GetItemCommand({ TableName: table.tableName, Key: marshall(totalKey(customer)) });
  const { Item } = await table.client.send(get);
  return new Big(Item?.cents?.N ?? 0).toFixed();
}

const amount = fc.oneof(
  fc.integer().map((thousandths) => thousandths / 1_000),
  fc.constantFrom(0.1, 0.2, -0.3, 1e21, 2 ** 53 - 1, 2 ** 53 + 2),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
);

test('amounts add up to what DynamoDB makes of them, however they are batched', async () => {
  const batches = fc.array(fc.array(amount, { minLength: 1, maxLength: 6 }), { maxLength: 3 });
  const property = fc.asyncProperty(batches, async (all) => {
    const batched = randomUUID();
    const single = randomUUID();

    for (const some of all) expect(await bookBatch(batched, some)).toBe(0);
    expect(await addOneByOne(single, all.flat())).toBe(0);

    expect(await readTotal(batched)).toBe(await readTotal(single));
  });
  await fc.assert(property, { numRuns: 15, examples: [[[[0.1, 0.2]]], [[[2 ** 53 - 1, 2, 2]]]] });
});

test.each([
  ['with more than 38 digits', [1e30, 1e-10], '1000000000000000000000000000000'],
  ['beyond 9.9e125', [9e125, 9e125], new Big(9e125).toFixed()],
])('a sum %s is rejected to the payload that needs it, as alone', async (_, amounts, total) => {
  const batched = randomUUID();
  const single = randomUUID();

  expect(await bookBatch(batched, amounts)).toBe(1);
  expect(await addOneByOne(single, amounts)).toBe(1);

  expect(await readTotal(batched)).toBe(total);
  expect(await readTotal(single)).toBe(total);
});
