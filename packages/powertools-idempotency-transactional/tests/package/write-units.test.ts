import { randomUUID } from 'node:crypto';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import type { Slot } from 'powertools-idempotency-transactional/sheets';
import { describe, expect, inject, test } from 'vitest';
import { meterClient } from '../../../../fixtures/capacity-meter.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { readPage } from '../helpers/examples.ts';
import { makeBook, makeConfig, makePowertoolsLayer, type Order } from '../helpers/layer.ts';
import { addDirectly, addToTotal } from '../helpers/totals.ts';

/** Makes a function that books an order with this client. */
type MakeBook = (client: DynamoDBClient) => (order: Order, context: Context) => Promise<unknown>;

useTable();
const readme = readPage('README.md');

const bookWithPowertools: MakeBook = (client) =>
  makeIdempotent(
    ({ customer, cents }: Order, _context: Context) => addDirectly(client, customer, cents),
    { persistenceStore: makePowertoolsLayer(client), config: makeConfig() },
  );

const bookWithOurs =
  (slot?: (idempotencyKey: string) => Slot): MakeBook =>
  (client) =>
    makeBook(({ customer, cents }) => addToTotal(customer, cents), makeConfig(), {
      awsSdkV3Client: client,
      ...(slot && { slot }),
    });

/** Books so many new orders of so many customers, and says what it cost, as the README does. */
async function measure(
  make: MakeBook,
  orders: number,
  customers: number,
  client = createCommitClient(),
): Promise<string> {
  const meter = meterClient(client);
  const book = make(client);
  const batch = randomUUID();
  const booking = Array.from({ length: orders }, (_, index) => {
    const customer = `${batch}.${index % customers}`;
    return book({ id: `${batch}.${index}`, customer, cents: 250 }, makeContext());
  });
  await Promise.all(booking);
  return `${meter.writeUnits} units, ${meter.requests} ${meter.requests === 1 ? 'request' : 'requests'}`;
}

// Only dynoxide reports the capacity that AWS bills.
describe.runIf(inject('engine') === 'dynoxide')('what the README says it costs', () => {
  test.each([
    ['an order by itself', 1, 1],
    ['100 orders of one customer', 100, 1],
    ['100 orders of 100 customers', 100, 100],
  ])('is what %s costs', async (title, orders, customers) => {
    // Powertools' layer leaves retries to its client.
    const client = new DynamoDBClient();
    const powertools = await measure(bookWithPowertools, orders, customers, client);
    const ours = await measure(bookWithOurs(), orders, customers);

    expect(readme).toContain(`| ${title} | ${powertools} | ${ours} |`);
  });

  test('is what 100 orders of one customer cost, whose ids are on one sheet', async () => {
    const book = bookWithOurs((idempotencyKey) => {
      const [batch = '', index] = idempotencyKey.split('.');
      return { sheetKey: { PK: batch, SK: 'SHEET' }, index: Number(index) };
    });

    expect(await measure(book, 100, 1)).toBe('4 units, 1 request');
    expect(readme).toContain('customer from one producer then costs 4 units');
  });
});
