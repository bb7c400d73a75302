import { randomUUID } from 'node:crypto';
import { makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import { PowertoolsFunctions } from '@aws-lambda-powertools/jmespath/functions';
import type { Context } from 'aws-lambda';
import { expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { makeConfig, makeLayer } from '../helpers/layer.ts';

type Payload = Record<string, unknown>;
type Scene = ReturnType<typeof setScene>;

const table = useTable();
const id = 'an-id';
const stored = 'stored';
const context = makeContext();

/** A function whose payloads each add one to a total of its own, and return the stored response. */
function setScene(settings: IdempotencyConfigOptions = {}) {
  const total = { PK: randomUUID(), SK: 'TOTAL' };
  const create = (SK = 'MARKER') => {
    const layer = makeLayer<Payload>(
      () => ({ increments: [{ key: total, attribute: 'booked', by: 1 }], response: stored }),
      makeConfig({ payloadValidationJmesPath: 'cents', ...settings }),
      { markerKey: (key) => ({ PK: `${total.PK}#${key}`, SK }) },
    );
    const work = async (payload: Payload, _context: Context): Promise<unknown> =>
      layer.persistenceStore.responseOf(payload);
    return { work, wrapping: { ...layer, keyPrefix: 'FEATURE' } };
  };
  const { work, wrapping } = create();
  const book = makeIdempotent(work, wrapping);
  const readBooked = async () => (await table.get(total.PK, total.SK))?.booked;
  return { create, work, wrapping, book, readBooked };
}

/** Runs each after the one before it. Returns results, or the names of errors. */
async function inTurn(...calls: (() => unknown)[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const call of calls)
    results.push(await Promise.try(call).catch(({ cause, name }) => cause?.name ?? name));
  return results;
}

const again = (call: () => unknown) => inTurn(call, call);
const twice =
  (payload: Payload, other = payload) =>
  ({ book }: Scene) =>
    inTurn(
      () => book({ ...payload }, context),
      () => book({ ...other }, context),
    );

// Without the decorator that checks its arguments, a function gets them as a list.
class ShopFunctions extends PowertoolsFunctions {
  funcOrderOf([path = '']: string[]): string | undefined {
    return path.split('/')[0];
  }
}

type Use = (scene: Scene) => Promise<unknown[]>;

/**
 * Features by their titles on the page, of each kind one: the settings, a use, what it gets and how many
 * payloads are booked. By default, two uses get the stored response of one booking.
 */
const features: Record<
  string,
  [IdempotencyConfigOptions, Use, results?: unknown[], booked?: number]
> = {
  'Custom JMESPath functions': [
    { eventKeyJmesPath: 'order_of(path)', jmesPathOptions: new ShopFunctions() },
    twice({ path: `${id}/1` }, { path: `${id}/2` }),
  ],
  'A changed payload with the local cache': [
    { useLocalCache: true },
    twice({ id, cents: 1 }, { id, cents: 2 }),
    [stored, 'IdempotencyValidationError'],
  ],
  'Any function, with `dataIndexArgument`': [
    {},
    ({ work, wrapping }) => {
      const labelled = (_label: string, one: Payload, call: Context) => work(one, call);
      const book = makeIdempotent(labelled, { ...wrapping, dataIndexArgument: 1 });
      wrapping.config.registerLambdaContext(context);
      return again(() => book('label', { id }, context));
    },
  ],
  'Several layers in one function': [
    {},
    ({ create }) => {
      const [one, other] = ['A', 'B'].map((SK) => {
        const { work, wrapping } = create(SK);
        return makeIdempotent(work, wrapping);
      });
      return Promise.all([one, other, one].map((book) => book?.({ id }, context)));
    },
    [stored, stored, stored],
    2,
  ],
};

test.each(Object.entries(features))('a documented feature works: %s', async (_, feature) => {
  const [settings, use, results = [stored, stored], booked = 1] = feature;
  const scene = setScene(settings);

  const seen = { results: await use(scene), booked: await scene.readBooked() };

  expect(seen).toEqual({ results, booked });
});
