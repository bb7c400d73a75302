import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { findReady } from '../../src/choose-entries.ts';
import { entryOf, makeEntries } from '../helpers/entries.ts';
import { makeConfig, makeLayer, type Order } from '../helpers/layer.ts';
import { commit, committed, scriptClient } from './scripted-dynamodb.ts';

vi.mock('../../src/choose-entries.ts', { spy: true });

const orders = ['1', '2', '3'].map((id) => ({ id, customer: 'ann', cents: 250 }));

/** Books three orders at once with a layer that is wrong about the second one. */
async function bookWith(mistake: object) {
  const { client, sent } = scriptClient([]);
  const sheetKey = { PK: 'SHEET', SK: 'MARKER' };
  const slot = (key: string) => ({ sheetKey, index: Number(key.at(-1)) });
  const options = { awsSdkV3Client: client, tableName: 'orders', slot };
  const effects = () => ({ writes: [] });
  const { persistenceStore: layer, config } = makeLayer<Order>(effects, makeConfig(), options);
  Object.assign(layer, mistake);
  const confirm = async (order: Order, _context: unknown) => layer.receiptOf(order);
  const book = makeIdempotent(confirm, { persistenceStore: layer, keyPrefix: 'ORDER', config });
  const booked = orders.map((order) => book(order, makeContext()).catch(({ cause }) => `${cause}`));
  return { outcomes: await Promise.all(booked), sent };
}

const bug = 'This is a bug: report it.';

describe('a payload fails alone', () => {
  test('if its marker would expire at once', async () => {
    const expiries = [4_000_000_000, 0, 4_000_000_000];

    const { outcomes, sent } = await bookWith({ getExpiryTimestamp: () => expiries.shift() });

    const [, second] = outcomes;
    const expected = 'expected a marker to expire in the future, in epoch seconds; got 0';
    expect(second).toBe(`InvariantError: ${expected}. ${bug}`);
    expect(outcomes).toEqual(['ORDER#1', second, 'ORDER#3']);
    expect(sent).toHaveLength(1);
  });

  test('if its slot would have another size than all others', async () => {
    const { outcomes, sent } = await bookWith({
      getHashedPayload: ({ id }: Order) =>
        id === '2' ? 'QQ==' : Buffer.from(`hash of ${id}`).toString('base64'),
    });

    const [, second] = outcomes;
    expect(second).toBe(`InvariantError: expected a slot's value of 5 bytes; got 1. ${bug}`);
    expect(outcomes).toEqual(['ORDER#1', second, 'ORDER#3']);
    expect(sent).toHaveLength(1);
  });
});

test('two writes of one item never go into one transaction, even if they were chosen for it', async () => {
  vi.mocked(findReady).mockImplementation((waiting) => [...waiting]);
  const check = { ConditionCheck: { Key: { PK: 'stock', SK: 'TOTAL' }, ConditionExpression: 'x' } };
  const put = { Put: { Item: { PK: 'stock', SK: 'TOTAL' } } };
  const entries = [entryOf('1', { writes: [check] }), entryOf('2', { writes: [put] })];

  const { outcomes, batches } = await commit([...entries, ...makeEntries(1)]);

  expect(outcomes).toEqual([committed, committed, committed]);
  expect(batches.filter((batch) => batch.includes('1') && batch.includes('2'))).toEqual([]);
});
