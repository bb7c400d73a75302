import { randomUUID } from 'node:crypto';
import { IdempotencyValidationError, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import { PowertoolsFunctions } from '@aws-lambda-powertools/jmespath/functions';
import type { Context } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeBook, makeConfig, makeLayer } from '../helpers/layer.ts';
import { addToTotal, readTotal } from '../helpers/totals.ts';

type Payload = Record<string, unknown>;

const table = useTable();
const id = 'an-id';
const context = makeContext();

/** A layer whose payloads each add one to a customer's total, and get the answer that they're booked. */
const makeSettings = (
  customer: string,
  settings: IdempotencyConfigOptions = {},
  SK = 'MARKER',
): Parameters<typeof makeLayer<Payload>> => [
  () => ({ ...addToTotal(customer, 1), response: 'booked' }),
  makeConfig({ payloadValidationJmesPath: 'cents', ...settings }),
  { staticSkValue: `${customer}#${SK}` },
];
const createBook = (...settings: Parameters<typeof makeSettings>) =>
  makeBook(...makeSettings(...settings));

// Without the decorator that checks its arguments, a function gets them as a list.
class ShopFunctions extends PowertoolsFunctions {
  funcOrderOf([path = '']: string[]): string | undefined {
    return path.split('/')[0];
  }
}

// Other features on the page are in other tests.
describe('a documented feature works', () => {
  test('Custom JMESPath functions', async () => {
    const customer = randomUUID();
    const eventKeyJmesPath = 'order_of(path)';
    const book = createBook(customer, { eventKeyJmesPath, jmesPathOptions: new ShopFunctions() });

    for (const path of [`${id}/1`, `${id}/2`]) expect(await book({ path }, context)).toBe('booked');

    expect(await readTotal(table, customer)).toBe(1);
  });

  test('A changed payload with the local cache', async () => {
    const customer = randomUUID();
    const book = createBook(customer, { useLocalCache: true });

    expect(await book({ id, cents: 1 }, context)).toBe('booked');
    await expect(book({ id, cents: 2 }, context)).rejects.toThrow(IdempotencyValidationError);

    expect(await readTotal(table, customer)).toBe(1);
  });

  test('Any function, with `dataIndexArgument`', async () => {
    const customer = randomUUID();
    const layer = makeLayer(...makeSettings(customer));
    layer.config.registerLambdaContext(context);
    const labelled = async (_label: string, one: Payload, _context: Context) =>
      layer.persistenceStore.responseOf(one);
    const book = makeIdempotent(labelled, { ...layer, dataIndexArgument: 1 });

    for (const label of ['one', 'other']) expect(await book(label, { id }, context)).toBe('booked');

    expect(await readTotal(table, customer)).toBe(1);
  });

  test('Several layers in one function', async () => {
    const customer = randomUUID();
    const one = createBook(customer, {}, 'A');
    const other = createBook(customer, {}, 'B');

    const answers = await Promise.all([one, other, one].map((book) => book({ id }, context)));

    expect(answers).toEqual(['booked', 'booked', 'booked']);
    expect(await readTotal(table, customer)).toBe(2);
  });
});
