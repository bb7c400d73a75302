import { randomUUID } from 'node:crypto';
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
import {
  createCommitClient,
  type TransactionalPersistenceLayerOptions,
} from 'powertools-idempotency-transactional';
import { localClientConfig } from '../../../../cli/local-aws.ts';
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

const again = (call: () => unknown) => inTurn(call, call);

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
    ...{ create, work, wrapping },
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
    title: 'A changed payload with the local cache',
    section: 'using-in-memory-cache',
    settings: { useLocalCache: true },
    use: (scene) => twice(scene, { id, cents: 1 }, { id, cents: 2 }),
    expected: [stored, 'IdempotencyValidationError'],
    booked: 1,
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
      return again(() => book('label', { id }, context));
    },
    ...same,
  },
  {
    title: 'The `@idempotent` decorator',
    section: 'idempotent-decorator',
    use: async ({ work, wrapping }) => {
      const booking = { work, handler: (payload: Payload, call: Context) => work(payload, call) };
      const descriptor = Object.getOwnPropertyDescriptor(booking, 'handler') ?? {};
      const decorated = idempotent(wrapping)(booking, 'handler', descriptor);
      Object.defineProperty(booking, 'handler', decorated ?? {});
      return again(() => booking.handler({ id }, context));
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
      return again(() => book({ id }, context));
    },
    expected: [new Map([['booked', 1n]]), stored],
    booked: 1,
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
];
