import { randomUUID } from 'node:crypto';
import type { Effects } from 'powertools-idempotency-transactional';
import { expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeBook, type Order } from '../helpers/layer.ts';

const table = useTable();
const put = (Item: object, TableName?: string): Effects => ({
  writes: [{ Put: { ...(TableName && { TableName }), Item: { SK: 'X', ...Item } } }],
});

test.each<[string, Effects, string]>([
  ['a table that does not exist', put({ PK: 'X' }, 'nowhere'), 'ResourceNotFoundException'],
  ['a key of the wrong type', put({ PK: 7 }), 'Validation'],
  ['an item beyond 400 KB', put({ PK: 'X', text: 'x'.repeat(410_000) }), 'Validation'],
  [
    'an update that is no expression',
    { writes: [{ Update: { Key: { PK: 'X', SK: 'X' }, UpdateExpression: 'PLUS' } }] },
    'Validation',
  ],
  ['a value that DynamoDB has no type for', put({ PK: 'X', at: new Date(0) }), 'can store'],
])(
  '%s fails one payload of ten, with its reason, and the others are booked',
  async (_, bad, reason) => {
    const customer = randomUUID();
    const key = { PK: `CUSTOMER#${customer}`, SK: 'TOTAL' };
    const effects = ({ cents }: Order): Effects => ({
      increments: [{ key, attribute: 'cents', by: cents }],
      ...(cents === 1_000 && bad),
    });
    const book = makeBook(effects, undefined, { tables: { nowhere: ['PK', 'SK'] } });

    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        book({ id: randomUUID(), customer, cents: 10 ** index }, makeContext()),
      ),
    );

    const failures = results.filter((result) => result.status === 'rejected');
    expect(failures.map((failure) => `${failure.reason.cause}`)).toEqual([
      expect.stringContaining(reason),
    ]);
    expect((await table.get(key.PK, key.SK))?.cents).toBe(1_111_110_111);
  },
);
