import { randomUUID } from 'node:crypto';
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import middy from '@middy/core';
import type {
  APIGatewayProxyEventV2,
  Context,
  DynamoDBRecord,
  KinesisStreamRecord,
  SQSRecord,
} from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { makeContext } from '../../../evidence/kit/lambda-context.ts';
import {
  createCommitClient,
  type Effects,
  TransactionalPersistenceLayer,
} from '../../../lib/idempotency/index.ts';
import { useTable } from '../../helpers/table.ts';

interface Order {
  id: string;
  cents: number;
}

const markerTtlSeconds = 1_000;
const table = useTable();

const total = { PK: 'SHOP', SK: 'TOTAL' };
const readCents = async () => (await table.get(total.PK, total.SK))?.cents ?? 0;
const addCents = ({ cents }: Order): Effects => ({
  increments: [{ key: total, attribute: 'cents', by: cents }],
});

function makeLayer<Payload extends object>(
  effects: (payload: Payload) => Effects,
  paths: { eventKeyJmesPath: string; payloadValidationJmesPath: string },
) {
  const config = new IdempotencyConfig({
    ...paths,
    throwOnNoIdempotencyKey: true,
    expiresAfterSeconds: markerTtlSeconds,
  });
  const persistenceStore = new TransactionalPersistenceLayer<Payload>({
    client: createCommitClient(),
    tableName: process.env.TABLE_NAME ?? '',
    config,
    markerTtlSeconds,
    effects,
    markerKey: (idempotencyKey) => ({ PK: idempotencyKey, SK: 'MARKER' }),
  });
  return { persistenceStore, config };
}

/** A function that books an order once; each call is another instance. */
function makeBooking() {
  const layer = makeLayer(addCents, { eventKeyJmesPath: 'id', payloadValidationJmesPath: 'cents' });
  const book = async (order: Order, _context: Context) => {
    layer.persistenceStore.receiptOf(order);
    return 'booked';
  };
  return makeIdempotent(book, { ...layer, keyPrefix: 'ORDER' });
}

const order = (cents: number): Order => ({ id: randomUUID(), cents });

describe('each order of a batch counts once', () => {
  const decode = (base64: string) => Buffer.from(base64, 'base64').toString();
  const sources: [string, keyof typeof EventType, (order: Order) => object][] = [
    ['SQS', 'SQS', (o) => ({ messageId: randomUUID(), body: JSON.stringify(o) })],
    [
      'Kinesis',
      'KinesisDataStreams',
      (o) => ({
        kinesis: {
          sequenceNumber: randomUUID(),
          data: Buffer.from(JSON.stringify(o)).toString('base64'),
        },
      }),
    ],
    [
      'a DynamoDB stream',
      'DynamoDBStreams',
      ({ id, cents }) => ({
        dynamodb: {
          SequenceNumber: randomUUID(),
          NewImage: { id: { S: id }, cents: { N: `${cents}` } },
        },
      }),
    ],
  ];
  const readOrder = (record: SQSRecord | KinesisStreamRecord | DynamoDBRecord): Order => {
    if ('body' in record) return JSON.parse(record.body);
    if ('kinesis' in record) return JSON.parse(decode(record.kinesis.data));
    const { id, cents } = record.dynamodb?.NewImage ?? {};
    return { id: id?.S ?? '', cents: Number(cents?.N) };
  };

  test.each(sources)('of %s', async (_, type, toRecord) => {
    const [first, second, changed] = [order(1), order(10), order(100)];
    const records = [first, second, first, changed, { ...changed, cents: 1_000 }].map(toRecord);
    const before = await readCents();
    const deliver = () => {
      const book = makeBooking();
      return processPartialResponse(
        { Records: records },
        async (record: SQSRecord) => book(readOrder(record), makeContext()),
        new BatchProcessor(EventType[type]),
        { context: makeContext() },
      );
    };

    const responses = [await deliver(), await deliver()];

    expect((await readCents()) - before).toBe(111);
    // Only the changed payload of a known key fails.
    expect(responses.map(({ batchItemFailures }) => batchItemFailures.length)).toEqual([1, 1]);
  });
});

test('a single event counts once', async () => {
  const one = order(7);
  const before = await readCents();

  const results = [
    await makeBooking()(one, makeContext()),
    await makeBooking()({ ...one }, makeContext()),
  ];

  expect(results).toEqual(['booked', undefined]);
  expect((await readCents()) - before).toBe(7);
});

describe('an HTTP request with an Idempotency-Key', () => {
  const toOrder = (event: APIGatewayProxyEventV2): Order => JSON.parse(event.body ?? '');
  const answer = ({ id }: Order) => ({ statusCode: 201, body: JSON.stringify({ booked: id }) });

  /** A handler whose work is in the layer, with Powertools' middleware; each call is an instance. */
  function makeHandler() {
    const layer = makeLayer<APIGatewayProxyEventV2>(
      (event) => ({ ...addCents(toOrder(event)), response: answer(toOrder(event)) }),
      { eventKeyJmesPath: 'headers."idempotency-key"', payloadValidationJmesPath: 'body' },
    );
    return middy(async (event: APIGatewayProxyEventV2, _context: Context) =>
      layer.persistenceStore.responseOf(event),
    ).use(makeHandlerIdempotent({ ...layer, keyPrefix: 'REQUEST' }));
  }
  const post = (key: string, body: Order) =>
    makeHandler()(
      { headers: { 'idempotency-key': key }, body: JSON.stringify(body) } as never,
      makeContext(),
    );

  test('is answered twice with the same 201, and counts once', async () => {
    const [key, body, before] = [randomUUID(), order(3), await readCents()];

    const answers = [await post(key, body), await post(key, body)];

    expect(answers).toEqual([answer(body), answer(body)]);
    expect((await readCents()) - before).toBe(3);
  });

  test('is refused if its body has changed', async () => {
    const [key, body, before] = [randomUUID(), order(3), await readCents()];
    await post(key, body);

    await expect(post(key, { ...body, cents: 4 })).rejects.toThrow('Payload does not match');
    expect((await readCents()) - before).toBe(3);
  });
});
