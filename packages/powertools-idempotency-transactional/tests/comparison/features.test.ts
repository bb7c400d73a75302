import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  BatchProcessor,
  EventType,
  processPartialResponse,
  SqsFifoPartialProcessorAsync,
} from '@aws-lambda-powertools/batch';
import { idempotent, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import { PowertoolsFunctions } from '@aws-lambda-powertools/jmespath/functions';
import type { Context, SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { packageDir } from '../helpers/examples.ts';
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

const failing = (...identifiers: string[]) => ({
  batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })),
});
/** Each list of messages is delivered after the one before it. */
const processing =
  (
    processor: BatchProcessor | SqsFifoPartialProcessorAsync,
    deliveries: SQSRecord[][],
    options = {},
  ) =>
  ({ book }: Scene) =>
    inTurn(
      ...deliveries.map((Records) => () => {
        const handle = ({ body }: SQSRecord) => book(JSON.parse(body), context);
        return processPartialResponse({ Records }, handle, processor, { context, ...options });
      }),
    );
const bodies = [{ id, cents: 1 }, { id, cents: 1 }, { id, cents: 2 }, { id: 'another-id' }];
const { Records: messages } = makeBatch(bodies.map((body) => JSON.stringify(body)));
const grouped = messages.map(({ attributes, ...message }, index) => ({
  ...message,
  attributes: { ...attributes, MessageGroupId: index < 3 ? 'group' : 'another-group' },
}));
const gzipped = gzipSync(JSON.stringify({ id })).toString('base64');

/** A feature of Powertools' idempotency utility. By default, its two uses get one booking's stored response. */
interface Feature {
  settings?: IdempotencyConfigOptions;
  use: (scene: Scene) => Promise<unknown[]>;
  expected?: unknown[];
  booked?: number;
}

/** In the page's order, by their titles there. */
const features: Record<string, Feature> = {
  'JMESPath functions: `powertools_json`': {
    settings: {
      eventKeyJmesPath: 'powertools_json(body).id',
      payloadValidationJmesPath: 'powertools_json(body).cents',
    },
    use: twice({ body: `{"id":"${id}"}` }, { body: `{ "id": "${id}" }` }),
  },
  'Envelopes: `powertools_base64_gzip`': {
    settings: { eventKeyJmesPath: 'powertools_json(powertools_base64_gzip(data)).id' },
    use: twice({ data: gzipped }),
  },
  'Custom JMESPath functions': {
    settings: { eventKeyJmesPath: 'order_of(path)', jmesPathOptions: new ShopFunctions() },
    use: twice({ path: `${id}/1` }, { path: `${id}/2` }),
  },
  'Several values as the key, in any order of their names': {
    settings: { eventKeyJmesPath: '[id, customer]' },
    use: twice({ id, customer: 'a' }, { customer: 'a', id }),
  },
  'A changed payload with the local cache': {
    settings: { useLocalCache: true },
    use: twice({ id, cents: 1 }, { id, cents: 2 }),
    expected: [stored, 'IdempotencyValidationError'],
  },
  'Any function, with `dataIndexArgument`': {
    use: ({ work, wrapping }) => {
      const book = makeIdempotent(
        (_label: string, payload: Payload, call: Context) => work(payload, call),
        { ...wrapping, dataIndexArgument: 1 },
      );
      wrapping.config.registerLambdaContext(context);
      return again(() => book('label', { id }, context));
    },
  },
  'The `@idempotent` decorator': {
    use: async ({ work, wrapping }) => {
      const booking = { work, handler: (payload: Payload, call: Context) => work(payload, call) };
      const descriptor = Object.getOwnPropertyDescriptor(booking, 'handler') ?? {};
      const decorated = idempotent(wrapping)(booking, 'handler', descriptor);
      Object.defineProperty(booking, 'handler', decorated ?? {});
      return again(() => booking.handler({ id }, context));
    },
  },
  'A batch: `BatchProcessor`': {
    use: processing(new BatchProcessor(EventType.SQS), [messages]),
    expected: [failing('message-2')],
    booked: 2,
  },
  'A FIFO queue: `SqsFifoPartialProcessorAsync`': {
    use: processing(new SqsFifoPartialProcessorAsync(), [messages]),
    expected: [failing('message-2', 'message-3')],
  },
  'A FIFO queue with `skipGroupOnError`; the group goes on in the next batch': {
    use: processing(new SqsFifoPartialProcessorAsync(), [grouped, grouped.slice(1, 2)], {
      skipGroupOnError: true,
    }),
    expected: [failing('message-2'), failing()],
    booked: 2,
  },
  'A return value that isn’t JSON; the copy gets the stored response': {
    use: ({ wrapping }) => {
      const book = async (_payload: Payload, _context: Context) => new Map([['booked', 1n]]);
      const bookOnce = makeIdempotent(book, wrapping);
      return again(() => bookOnce({ id }, context));
    },
    expected: [new Map([['booked', 1n]]), stored],
  },
  'Several layers in one function': {
    use: ({ create }) => {
      const [one, other] = ['A', 'B'].map((SK) => {
        const { work, wrapping } = create(SK);
        return makeIdempotent(work, wrapping);
      });
      return Promise.all([one, other, one].map((book) => book?.({ id }, context)));
    },
    expected: [stored, stored, stored],
    booked: 2,
  },
};

test.each(Object.entries(features))('a documented feature works: %s', async (_, feature) => {
  const { settings, use, expected = [stored, stored], booked = 1 } = feature;
  const scene = setScene(settings);

  expect({ results: await use(scene), booked: await scene.readBooked() }).toEqual({
    results: expected,
    booked,
  });
});

test('the page lists these features', async () => {
  const page = await readFile(path.join(packageDir, 'comparison.md'), 'utf8');

  const listed = [...page.matchAll(/^- \[(.+)\]\(/gm)].map(([, title]) => title);
  expect(listed).toEqual(Object.keys(features));
});
