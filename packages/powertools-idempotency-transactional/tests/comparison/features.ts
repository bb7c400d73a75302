import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  BatchProcessor,
  EventType,
  processPartialResponse,
  SqsFifoPartialProcessorAsync,
} from '@aws-lambda-powertools/batch';
import { idempotent, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import { PowertoolsFunctions } from '@aws-lambda-powertools/jmespath/functions';
import middy from '@middy/core';
import type { Context, SQSRecord } from 'aws-lambda';
import {
  createCommitClient,
  type TransactionalPersistenceLayerOptions,
} from 'powertools-idempotency-transactional';
import { localClientConfig } from '../../../../cli/local-aws.ts';
import { meterClient } from '../../../../fixtures/capacity-meter.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import type { TestTable } from '../../../../tests/helpers/test-table.ts';
import { makeConfig, makeLayer } from '../helpers/layer.ts';

type Payload = Record<string, unknown>;

/** A feature of Powertools' idempotency utility. */
interface Feature {
  title: string;
  /** The section of its documentation. */
  section: string;
  settings?: IdempotencyConfigOptions;
  /** Uses it, and returns what came of it: results, or the names of errors. */
  use: (scene: Scene) => Promise<unknown[]>;
  expected: unknown[];
  /** How many payloads are booked in the end. */
  booked: number;
}

type Scene = ReturnType<typeof setScene>;

const id = 'an-id';
const stored = 'stored';
const context = makeContext();
const twice = ({ book }: Scene, payload: Payload, other = payload) =>
  inTurn(
    () => book({ ...payload }, context),
    () => book({ ...other }, context),
  );
const gzipped = gzipSync(JSON.stringify({ id })).toString('base64');

/** Runs each after the one before it. */
async function inTurn(...calls: (() => unknown)[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const call of calls)
    results.push(await Promise.try(call).catch(({ cause, name }) => cause?.name ?? name));
  return results;
}

// Without the decorator that checks its arguments, a function gets them as a list.
class ShopFunctions extends PowertoolsFunctions {
  funcOrderOf([path = '']: string[]): string | undefined {
    return path.split('/')[0];
  }
}

/** Uses a feature. Returns what came of it, and how many payloads are booked. */
export async function tryFeature(table: TestTable, feature: Feature) {
  const scenes: Scene[] = [];
  const [refusal] = await inTurn(() => scenes.push(setScene(table, feature)));
  const [scene] = scenes;
  if (!scene) return { results: [refusal], booked: 0 };
  return { results: await feature.use(scene), booked: await scene.readBooked() };
}

/** A function whose payloads each add one to a total of its own. */
function setScene(table: TestTable, { settings }: Feature) {
  const total = { PK: randomUUID(), SK: 'TOTAL' };
  const client = createCommitClient(localClientConfig(table.endpoint));
  const meter = meterClient(client);
  const create = (changes: Partial<TransactionalPersistenceLayerOptions<Payload>> = {}) => {
    const config = makeConfig({ payloadValidationJmesPath: 'cents', ...settings });
    const layer = makeLayer<Payload>(
      () => ({ increments: [{ key: total, attribute: 'booked', by: 1 }], response: stored }),
      config,
      {
        client,
        tableName: table.tableName,
        markerKey: (key) => ({ PK: `${total.PK}#${key}`, SK: 'MARKER' }),
        ...changes,
      },
    );
    const work = async (payload: Payload, _context: Context): Promise<unknown> =>
      layer.persistenceStore.responseOf(payload);
    return { ...layer, keyPrefix: 'FEATURE', work };
  };
  const { work, ...wrapping } = create();
  return {
    ...{ create, work, wrapping, meter, client },
    book: makeIdempotent(work, wrapping),
    readBooked: async () => (await table.get(total.PK, total.SK))?.booked ?? 0,
  };
}

const same = { expected: [stored, stored], booked: 1 };
const bodies = [{ id, cents: 1 }, { id, cents: 1 }, { id, cents: 2 }, { id: 'another-id' }].map(
  (one) => JSON.stringify(one),
);
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
const { Records: messages } = makeBatch(bodies);
const grouped = messages.map(({ attributes, ...message }, index) => ({
  ...message,
  attributes: { ...attributes, MessageGroupId: index < 3 ? 'group' : 'another-group' },
}));
export const features: Feature[] = [
  {
    title: 'A subset of the payload as the key',
    section: 'choosing-a-payload-subset-for-idempotency',
    settings: { eventKeyJmesPath: 'detail.id' },
    use: (scene) => twice(scene, { detail: { id }, at: 1 }, { detail: { id }, at: 2 }),
    ...same,
  },
  {
    title: 'JMESPath functions: `powertools_json`',
    section: 'choosing-a-payload-subset-for-idempotency',
    settings: {
      eventKeyJmesPath: 'powertools_json(body).id',
      payloadValidationJmesPath: 'powertools_json(body).cents',
    },
    use: (scene) => twice(scene, { body: `{"id":"${id}"}` }, { body: `{ "id": "${id}" }` }),
    ...same,
  },
  {
    title: 'Envelopes: `powertools_base64_gzip`',
    section: 'choosing-a-payload-subset-for-idempotency',
    settings: { eventKeyJmesPath: 'powertools_json(powertools_base64_gzip(data)).id' },
    use: (scene) => twice(scene, { data: gzipped }),
    ...same,
  },
  {
    title: 'Custom JMESPath functions',
    section: 'custom-jmespath-functions',
    settings: {
      eventKeyJmesPath: 'order_of(path)',
      jmesPathOptions: new ShopFunctions(),
    },
    use: (scene) => twice(scene, { path: `${id}/1` }, { path: `${id}/2` }),
    ...same,
  },
  {
    title: 'Several values as the key, in any order of their names',
    section: 'choosing-a-payload-subset-for-idempotency',
    settings: { eventKeyJmesPath: '[id, customer]' },
    use: (scene) => twice(scene, { id, customer: 'a' }, { customer: 'a', id }),
    ...same,
  },
  {
    title: 'A required key',
    section: 'making-idempotency-key-required',
    use: (scene) => twice(scene, { cents: 1 }),
    expected: ['IdempotencyKeyError', 'IdempotencyKeyError'],
    booked: 0,
  },
  {
    title: 'The local cache',
    section: 'using-in-memory-cache',
    settings: { useLocalCache: true },
    use: async (scene) => [...(await twice(scene, { id })), scene.meter.requests],
    expected: [stored, stored, 1],
    booked: 1,
  },
  {
    title: 'A changed payload with the local cache',
    section: 'using-in-memory-cache',
    settings: { useLocalCache: true },
    use: (scene) => twice(scene, { id, cents: 1 }, { id, cents: 2 }),
    expected: [stored, 'IdempotencyValidationError'],
    booked: 1,
  },
  {
    title: 'A response hook',
    section: 'manipulating-the-idempotent-response',
    settings: { responseHook: (response) => `${response} before` },
    use: (scene) => twice(scene, { id }),
    expected: [stored, 'stored before'],
    booked: 1,
  },
  {
    title: 'Another hash function',
    section: 'customizing-the-default-behavior',
    settings: { hashFunction: 'sha256' },
    use: (scene) => twice(scene, { id, cents: 1 }),
    ...same,
  },
  {
    title: 'Any function, with `dataIndexArgument`',
    section: 'makeidempotent-function-wrapper',
    use: ({ work, wrapping }) => {
      const book = makeIdempotent(
        (_label: string, payload: Payload, call: Context) => work(payload, call),
        { ...wrapping, dataIndexArgument: 1 },
      );
      wrapping.config.registerLambdaContext(context);
      return inTurn(
        () => book('first', { id }, context),
        () => book('second', { id }, context),
      );
    },
    ...same,
  },
  {
    title: 'The `@idempotent` decorator',
    section: 'idempotent-decorator',
    use: async ({ work, wrapping }) => {
      class Booking {
        readonly work = work;

        handler(payload: Payload, call: Context) {
          return this.work(payload, call);
        }
      }
      const { prototype } = Booking;
      const descriptor = Object.getOwnPropertyDescriptor(prototype, 'handler') ?? {};
      const decorated = idempotent(wrapping)(prototype, 'handler', descriptor);
      Object.defineProperty(prototype, 'handler', decorated ?? {});
      const booking = new Booking();
      return inTurn(
        () => booking.handler({ id }, context),
        () => booking.handler({ id }, context),
      );
    },
    ...same,
  },
  {
    title: 'Middy’s `makeHandlerIdempotent`',
    section: 'makehandleridempotent-middy-middleware',
    use: ({ work, wrapping }) => {
      const book = middy(work).use(makeHandlerIdempotent(wrapping));
      return inTurn(
        () => book({ id }, context),
        () => book({ id }, context),
      );
    },
    ...same,
  },
  {
    title: 'A batch: `BatchProcessor`',
    section: 'batch-integration',
    use: processing(new BatchProcessor(EventType.SQS), [messages]),
    expected: [failing('message-2')],
    booked: 2,
  },
  {
    title: 'A FIFO queue: `SqsFifoPartialProcessorAsync`',
    section: 'batch-integration',
    use: processing(new SqsFifoPartialProcessorAsync(), [messages]),
    expected: [failing('message-2', 'message-3')],
    booked: 1,
  },
  {
    title: 'A FIFO queue with `skipGroupOnError`; the group goes on in the next batch',
    section: 'batch-integration',
    use: processing(new SqsFifoPartialProcessorAsync(), [grouped, grouped.slice(1, 2)], {
      skipGroupOnError: true,
    }),
    expected: [failing('message-2'), failing()],
    booked: 2,
  },
  {
    title: 'A return value that isn’t JSON; the copy gets the stored response',
    section: 'makeidempotent-function-wrapper',
    use: ({ work, wrapping }) => {
      const book = makeIdempotent(async (payload: Payload, call: Context) => {
        await work(payload, call);
        return new Map([['booked', 1n]]);
      }, wrapping);
      return inTurn(
        () => book({ id }, context),
        () => book({ id }, context),
      );
    },
    expected: [new Map([['booked', 1n]]), stored],
    booked: 1,
  },
  {
    title: 'An invocation that has no time left',
    section: 'lambda-timeouts',
    use: ({ book }) =>
      inTurn(
        () => book({ id }, makeContext(0)),
        () => book({ id }, context),
      ),
    expected: ['CommitDeadlineError', stored],
    booked: 1,
  },
  {
    title: 'No Lambda context',
    section: 'lambda-timeouts',
    use: ({ book }) => inTurn(() => book({ id }, undefined as never)),
    expected: ['UnsafeConfigurationError'],
    booked: 0,
  },
  {
    title: 'Several functions with one layer, each with its prefix',
    section: 'using-multiple-idempotent-operations',
    use: ({ work, wrapping }) => {
      const [one, other] = ['ONE', 'OTHER'].map((keyPrefix) =>
        makeIdempotent(work, { ...wrapping, keyPrefix }),
      );
      return Promise.all([one, other, one].map((book) => book?.({ id }, context)));
    },
    expected: [stored, stored, stored],
    booked: 2,
  },
  {
    title: 'Several layers in one function',
    section: 'using-multiple-idempotent-operations',
    use: ({ create }) => {
      const [one, other] = ['A', 'B'].map((SK) => {
        const { work, ...wrapping } = create({ markerKey: (key) => ({ PK: key, SK }) });
        return makeIdempotent(work, { ...wrapping, keyPrefix: randomUUID() });
      });
      return Promise.all([one, other, one].map((book) => book?.({ id }, context)));
    },
    expected: [stored, stored, stored],
    booked: 2,
  },
  {
    title: 'A composite primary key',
    section: 'using-a-dynamodb-table-with-a-composite-primary-key',
    use: (scene) => twice(scene, { id }),
    ...same,
  },
];
