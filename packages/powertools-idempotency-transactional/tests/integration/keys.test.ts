import { randomUUID } from 'node:crypto';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeConfig, makeLayer } from '../helpers/layer.ts';

const table = useTable();

test.each<[string, unknown, unknown]>([
  ['long texts that differ at their end', `${'x'.repeat(2_500)}a`, `${'x'.repeat(2_500)}b`],
  ['different halves of a character', '\ud800', '\ud801'],
  ['a number and its text', 7, '7'],
])('ids that are %s count once each', async (_, one, other) => {
  const customer = randomUUID();
  const key = { PK: `CUSTOMER#${customer}`, SK: 'TOTAL' };
  const { persistenceStore, config } = makeLayer<{ id: unknown; customer: string }>(
    () => ({ increments: [{ key, attribute: 'orders', by: 1 }] }),
    makeConfig({ responseHook: () => 'duplicate' }),
  );
  const count = async (_order: object, _context: unknown) => 'counted';
  const countOnce = makeIdempotent(count, { persistenceStore, keyPrefix: customer, config });

  const results: string[] = [];
  for (const id of [one, other, one, other]) {
    results.push(await countOnce({ id, customer }, makeContext()));
  }

  expect(results).toEqual(['counted', 'counted', 'duplicate', 'duplicate']);
  expect((await table.get(key.PK, key.SK))?.orders).toBe(2);
});
