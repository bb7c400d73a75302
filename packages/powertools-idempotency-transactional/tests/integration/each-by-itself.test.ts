import { randomUUID } from 'node:crypto';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { Effects, Write } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeLayer, type Order } from '../helpers/layer.ts';

const table = useTable();
const anything = (value: unknown) => value as never;
const put = (Item: object): Effects => ({ writes: [{ Put: { Item: { SK: 'X', ...Item } } }] });
const add = (by: unknown): Effects => ({
  increments: [{ key: { PK: 'SHOP', SK: 'TOTAL' }, attribute: 'cents', by: anything(by) }],
});

test.each<[string, Effects, string]>([
  [
    'a table that does not exist',
    { writes: [{ Put: { TableName: 'nowhere', Item: { PK: 'X', SK: 'X' } } }] },
    'ResourceNotFoundException',
  ],
  ['a key of the wrong type', put({ PK: 7 }), 'Validation'],
  ['an item beyond 400 KB', put({ PK: 'X', text: 'x'.repeat(410_000) }), 'Validation'],
  [
    'an update that is no expression',
    { writes: [{ Update: { Key: { PK: 'X', SK: 'X' }, UpdateExpression: 'PLUS' } }] },
    'Validation',
  ],
  [
    'two operations in one write',
    {
      writes: [{ ...put({ PK: 'X' }).writes?.[0], Delete: { Key: { PK: 'Y', SK: 'Y' } } } as Write],
    },
    'Put and Delete',
  ],
  [
    'a value that DynamoDB has no type for',
    put({ PK: 'X', at: new Date(0) }),
    'DynamoDB can store',
  ],
  ['an amount of 39 digits', add(10n ** 38n + 1n), 'got 100000000000000000000000000000000000001n'],
])(
  '%s fails one payload of ten, with its reason, and the others are booked',
  async (_, bad, reason) => {
    const customer = randomUUID();
    const key = { PK: `CUSTOMER#${customer}`, SK: 'TOTAL' };
    const orders = Array.from({ length: 10 }, (_, index) => ({
      id: randomUUID(),
      customer,
      cents: 10 ** index,
    }));
    const { persistenceStore, config } = makeLayer<Order>(
      ({ cents }) => {
        const own: Effects = { increments: [{ key, attribute: 'cents', by: cents }] };
        return cents === 1_000 ? { ...own, ...bad } : own;
      },
      undefined,
      { tables: { nowhere: ['PK', 'SK'] } },
    );
    const book = async (order: Order, _context: unknown) => persistenceStore.receiptOf(order);
    const bookOnce = makeIdempotent(book, { persistenceStore, keyPrefix: 'BOOKING', config });

    const results = await Promise.allSettled(orders.map((order) => bookOnce(order, makeContext())));

    const failures = results.filter((result) => result.status === 'rejected');
    expect(failures.map((failure) => `${failure.reason.cause}`)).toEqual([
      expect.stringContaining(reason),
    ]);
    expect((await table.get(key.PK, key.SK))?.cents).toBe(1_111_110_111);
  },
);
