import {
  IdempotencyInconsistentStateError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  type Effects,
  InvalidEffectsError,
  ReceiptMissingError,
  type TransactionalPersistenceLayerOptions,
  UnsafeConfigurationError,
} from 'powertools-idempotency-transactional';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { makeConfig, makeLayer, type Order } from '../helpers/layer.ts';
import {
  type Answer,
  accepted,
  cancelled,
  conditionFailed,
  failing,
  none,
  scriptClient,
} from './scripted-dynamodb.ts';

type Options = Partial<TransactionalPersistenceLayerOptions<Order>>;

const order: Order = { id: '1', customer: 'ann', cents: 250 };
const effects = ({ customer }: Order): Effects => ({
  increments: [{ key: { PK: customer, SK: 'TOTAL' }, attribute: 'orders', by: 1 }],
});

/**
 * A function that books an order once, and its layer, over a DynamoDB that commits everything, unless it is
 * given other answers. The settings are the function's own.
 */
function makeBooking(
  options: Options = {},
  settings: IdempotencyConfigOptions = {},
  ...answers: Answer[]
) {
  const { client, sent } = scriptClient(answers);
  const own = {
    awsSdkV3Client: client,
    tableName: 'orders',
    markerTtlSeconds: 1_000,
    ...options,
  };
  const { persistenceStore: layer } = makeLayer(effects, options.config, own);
  const config = makeConfig(settings);
  layer.configure({ config: options.config ?? makeConfig(), keyPrefix: 'ORDER' });
  const confirm = async (order: Order, _context: unknown) => layer.receiptOf(order);
  const bookOnce = makeIdempotent(confirm, { persistenceStore: layer, keyPrefix: 'ORDER', config });
  const book = async (one: object, context: unknown) => bookOnce(one as Order, context);
  const readMarker = () => sent[0]?.TransactItems?.[0];
  return { layer, sent, book, readMarker };
}

/** Delivers an order twice. Returns what the function returned, or the names of its errors. */
async function deliverTwice(book: ReturnType<typeof makeBooking>['book'], one = order) {
  const deliver = () => book({ ...one }, makeContext()).catch(({ name }) => name);
  return [await deliver(), await deliver()];
}

const keyOfOrder = { PK: { S: 'ORDER#1' }, SK: { S: 'MARKER' } };
// The hash is that of echo -n '["ann",250]' | openssl md5 -binary | base64
const validation = { S: 'IIg4uq+Cmq9ML7jCoNg/hQ==' };
const stored = { ...keyOfOrder, ttl: { N: '4000000000' }, validation };
const reject = (Item: Record<string, AttributeValue>) =>
  cancelled({ ...conditionFailed, Item }, none);

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Ids of a sheet are slots. */
const slot = (idempotencyKey: string) => {
  const [, index] = /^ORDER#sheet-(\d+)$/.exec(idempotencyKey) ?? [];
  return index ? { sheetKey: { PK: 'SHEET', SK: 'ORDER' }, index: Number(index) } : undefined;
};
const onSheet = { ...order, id: 'sheet-12' };
const b2 = { B: Buffer.from(validation.S, 'base64').subarray(0, 5) };

test.each<[string, Options, Order, object]>([
  [
    "has a readable key, and Powertools' expiry and hash",
    { markerAttributes: { of: ({ customer }) => customer } },
    order,
    { Put: { Item: { ...keyOfOrder, of: { S: 'ann' }, ttl: { N: '1800001000' }, validation } } },
  ],
  [
    // 1,800,001,000 is 1,000 seconds after a full hour.
    'is in its slot, until the first full hour after its expiry',
    { slot },
    onSheet,
    { Update: { ExpressionAttributeValues: { ':b2': b2, ':ttl': { N: '1800003600' } } } },
  ],
])("a payload's marker %s", async (_, options, one, marker) => {
  vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] });
  const { book, readMarker } = makeBooking(options);

  expect(await book(one, makeContext())).toBe(`ORDER#${one.id}`);
  expect(readMarker()).toMatchObject(marker);
});

describe('Powertools cannot bypass the layer', () => {
  test('POWERTOOLS_IDEMPOTENCY_DISABLED is rejected at init on Lambda', () => {
    vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', 'true');
    vi.stubEnv('AWS_LAMBDA_INITIALIZATION_TYPE', 'on-demand');

    expect(makeBooking).toThrow(UnsafeConfigurationError);
    expect(makeBooking).toThrow('Unset it');
  });

  test.each<[IdempotencyConfigOptions, string, boolean]>([
    [{ throwOnNoIdempotencyKey: false }, 'Set it to true.', true],
    [{ payloadValidationJmesPath: undefined }, 'payloadValidationJmesPath is not set', true],
    [{ expiresAfterSeconds: undefined }, 'expiresAfterSeconds is 3600', true],
    [{ expiresAfterSeconds: 99 }, "the layer's markerTtlSeconds is 1000. Set both to the", true],
    [{ payloadValidationJmesPath: 'id' }, 'is "id", but "[customer, cents]" in', false],
    [{ eventKeyJmesPath: 'number' }, 'is "number", but "id" in the layer\'s config', false],
    [{ hashFunction: 'sha256' }, 'is "sha256", but "md5" in the layer\'s config', false],
  ])('%j is rejected with the first record: %s. At init: %s', async (settings, reason, atInit) => {
    const { book, sent } = makeBooking({}, settings);

    await expect(book(order, makeContext())).rejects.toSatisfy(
      (error) => error instanceof UnsafeConfigurationError && error.message.includes(reason),
      `an UnsafeConfigurationError with "${reason}"`,
    );
    expect(sent).toEqual([]);
    const init = () => makeBooking({ config: makeConfig(settings) });
    if (atInit) expect(init).toThrow(reason);
    else expect(init).not.toThrow();
  });

  test.each(['', 0, null, undefined, [], [null, '']])(
    'a payload whose key is %j is rejected',
    async (id) => {
      const { book, sent } = makeBooking();

      await expect(book({ ...order, id }, makeContext())).rejects.toMatchObject({
        cause: { name: 'IdempotencyKeyError' },
      });
      expect(sent).toEqual([]);
    },
  );

  test.each([
    ['without a Lambda context', undefined, 'UnsafeConfigurationError'],
    ['in an invocation without time left', makeContext(0), 'CommitDeadlineError'],
  ])('a record %s fails without a request', async (_, context, name) => {
    using _warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { book, sent } = makeBooking();

    await expect(book(order, context)).rejects.toMatchObject({ cause: { name } });
    expect(sent).toEqual([]);
  });

  test('a replay of a durable handler books nothing again, and has no receipt, though its payload is equal', async () => {
    const { book, sent } = makeBooking({}, {}, async () => accepted, reject(stored));
    const lambdaContext = makeContext();
    const run = async (durableExecutionMode: string) =>
      book({ ...order }, { step: () => {}, lambdaContext, durableExecutionMode });

    expect(await run('ExecutionMode')).toBe('ORDER#1');
    await expect(run('ReplayMode')).rejects.toThrow(
      new ReceiptMissingError('expected a committed payload; got one that bypassed the layer'),
    );
    expect(sent).toHaveLength(2);
  });
});

const failFor = (bad: () => string): Options => ({
  markerAttributes: { of: ({ id }) => (id === '1' ? 'good' : bad()) },
});

test.each<[string, Options, unknown]>([
  [
    'DynamoDB cannot take a value of it',
    failFor(() => undefined as unknown as string),
    new TypeError('expected of to be a string or a number; got undefined'),
  ],
  [
    'its effects throw a value that is not an Error',
    failFor(vi.fn().mockThrow('a text')),
    'a text',
  ],
  ['no sheet has its slot', { slot }, new RangeError('expected a slot from 0 to 127; got 128')],
  [
    'it has a response, and its marker is on a sheet',
    {
      slot: (key) => slot(key.replace('128', '12')),
      effects: ({ id }) => (id === '1' ? { writes: [] } : { response: 'booked' }),
    },
    new InvalidEffectsError(
      'expected no response for a payload whose marker is on a sheet; got one',
    ),
  ],
  [
    'it writes to its marker',
    {
      effects: ({ id }) => ({
        writes: [{ Delete: { Key: { PK: `ORDER#sheet-128`, SK: id === '1' ? '' : 'MARKER' } } }],
      }),
    },
    expect.objectContaining({ name: 'InvalidEffectsError' }),
  ],
])('a payload fails alone if %s', async (_, options, cause) => {
  const { book, sent, readMarker } = makeBooking(options);

  const [bad, good] = await Promise.allSettled([
    book({ ...order, id: 'sheet-128' }, makeContext()),
    book(order, makeContext()),
  ]);

  expect(good).toEqual({ status: 'fulfilled', value: 'ORDER#1' });
  expect(bad).toMatchObject({ reason: { cause } });
  expect(sent).toHaveLength(1);
  expect(readMarker()?.Put?.Item?.PK).toEqual(keyOfOrder.PK);
});

const rejectSlot = (ttl: string) =>
  Array(2).fill(reject({ PK: { S: 'SHEET' }, SK: { S: 'ORDER' }, b2, ttl: { N: ttl } }));
const bob = { ...onSheet, customer: 'bob' };

const denied = failing('AccessDeniedException', 400);
const isKnown = ['known', 'known'];
const isInvalid = Array(2).fill('IdempotencyValidationError');

interface RepeatedPayload {
  title: string;
  payload: Order;
  answers: Answer[];
  outcomes: unknown[];
  requests: number;
}

test.each<RepeatedPayload>([
  {
    title: 'committed needs no request to DynamoDB',
    payload: order,
    answers: [],
    outcomes: ['ORDER#1', 'known'],
    requests: 1,
  },
  {
    title: 'failed to commit is tried again',
    payload: order,
    answers: [denied],
    outcomes: ['IdempotencyPersistenceLayerError', 'ORDER#1'],
    requests: 2,
  },
  {
    title: 'found in its slot is known by memory',
    payload: onSheet,
    answers: rejectSlot('4000000000'),
    outcomes: isKnown,
    requests: 1,
  },
  {
    title: 'found in a slot of an expired sheet is known',
    payload: onSheet,
    answers: rejectSlot('1'),
    outcomes: isKnown,
    requests: 1,
  },
  {
    title: 'found in a slot of another payload is rejected',
    payload: bob,
    answers: rejectSlot('4000000000'),
    outcomes: isInvalid,
    requests: 2,
  },
])('a payload that the same instance has $title', async (given) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const settings = { useLocalCache: true, responseHook: () => 'known' };
  const options = { slot, config: makeConfig(settings) };
  const { book, sent } = makeBooking(options, settings, ...given.answers);

  expect(await deliverTwice(book, given.payload)).toEqual(given.outcomes);
  expect(sent).toHaveLength(given.requests);
});

test('a changed payload is known if that is accepted by name', async () => {
  const settings = { payloadValidationJmesPath: undefined, responseHook: () => 'known' };
  const options = { config: makeConfig(settings), acceptChangedPayloads: true };
  const answer = reject({ ...stored, validation: { S: '' } });
  const { book } = makeBooking(options, settings, answer, answer);

  expect(await deliverTwice(book, bob)).toEqual(isKnown);
});

test.each<[string, { records: number; remainingMs: number; msEach: number }, number]>([
  ['half a second', { records: 100, remainingMs: 60_000, msEach: 0 }, 59_500],
  ['what it took to prepare them', { records: 100, remainingMs: 60_000, msEach: 10 }, 58_510],
  ['half of what remains, at most', { records: 100, remainingMs: 3_000, msEach: 20 }, 2_500],
])('holds back time to report failures: %s, as in %j', async (_, batch, untilMs) => {
  vi.useFakeTimers({ now: 0 });
  const { records, remainingMs, msEach } = batch;
  const slowly = (one: Order) => {
    vi.setSystemTime(Date.now() + msEach);
    return effects(one);
  };
  const hang = () => new Promise(() => {});
  const { layer } = makeBooking({ effects: slowly }, {}, ...Array(records).fill(hang));
  const ends: number[] = [];

  const saving = Array.from({ length: records }, (_, id) =>
    layer.saveInProgress({ ...order, id: `${id}` }, remainingMs).catch(() => ends.push(Date.now())),
  );
  await vi.runAllTimersAsync();
  await Promise.all(saving);

  expect(ends).toHaveLength(records);
  // An outcome may come 0.1 s after its deadline.
  expect(Math.min(...ends)).toBe(untilMs + 100);
});

// printf ID | openssl md5 -binary | base64, where a text is in quotes and a surrogate is escaped
test.each([
  ['is not a text', 7, 'jxTkX87qFnpaNt7dS+olQw=='],
  ['has more than 994 bytes', 'x'.repeat(995), 'WvbwBSv1hAIltGXvwwF+cg=='],
  ['has 994 bytes', 'x'.repeat(994), 'x'.repeat(994)],
  ['has half a character', '\ud800', 'rpPkBZkWNPBDSTQL6zMevw=='],
])('an order whose id %s has this key', async (_, id, key) => {
  expect(await makeBooking().book({ ...order, id }, makeContext())).toBe(`ORDER#${key}`);
});

test.each([
  ['its own prefix, trimmed', ' ORDER ', 'ORDER#1'],
  ["the function's name without a prefix", undefined, 'book-orders#1'],
  ["the function's name for a blank prefix", ' ', 'book-orders#1'],
])('an order has %s, whichever function used the layer before', async (_, keyPrefix, receipt) => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'book-orders');
  const { layer } = makeBooking({ commitTimeoutMs: 5_000 });
  const payload = { ...order };
  layer.configure({ config: makeConfig(), keyPrefix: 'REFUND' });
  layer.configure({ config: makeConfig(), ...(keyPrefix && { keyPrefix }) });

  await layer.saveInProgress(payload);

  expect(layer.receiptOf(payload)).toBe(receipt);
});

test("an order that Powertools saves again keeps its function's prefix", async () => {
  const { layer, sent } = makeBooking();
  const once = (keyPrefix: string, run: (one: Order, context: unknown) => Promise<unknown>) =>
    makeIdempotent(run, { persistenceStore: layer, keyPrefix, config: makeConfig() });
  const refundOnce = once('REFUND', async (refund) => layer.receiptOf(refund));
  const bookOnce = once('ORDER', async (_, context) => {
    await refundOnce({ ...order, id: '2' }, context);
    throw new IdempotencyInconsistentStateError('the record has expired');
  });

  await expect(bookOnce({ ...order }, makeContext())).rejects.toThrow('the record has expired');

  const keys = sent.map(({ TransactItems }) => TransactItems?.[0]?.Put?.Item?.PK?.S);
  expect(keys.slice(0, 3)).toEqual(['ORDER#1', 'REFUND#2', 'ORDER#1']);
});

// With the prefix ORDER, the id REFUND#1 would have the key of the prefix ORDER#REFUND and the id 1.
test('a prefix with a # is rejected', () => {
  const { layer } = makeBooking();

  expect(() => layer.configure({ config: makeConfig(), keyPrefix: 'ORDER#REFUND' })).toThrow(
    UnsafeConfigurationError,
  );
});

test.each<[string, Options, string]>([
  ['no lifetime', { markerTtlSeconds: Number.NaN }, 'a whole number of seconds above 0'],
  ['no table', { tableName: '' }, 'tableName is empty'],
  ['two clients', { clientConfig: {} }, 'awsSdkV3Client and clientConfig are both set'],
  ['two static keys', { staticPkValue: 'MARKERS' }, 'staticSkValue needs a sortKeyAttr, and no'],
  [
    'a key named like the expiry',
    { keyAttr: 'ttl' },
    'keyAttr and expiryAttr both name the attribute "ttl". Rename one.',
  ],
  [
    'an attribute named like the key',
    { markerAttributes: { SK: () => 'x' } },
    'sortKeyAttr and markerAttributes both name the attribute "SK". Rename one.',
  ],
])('options that would lose or repeat work are rejected at init: %s', (_, options, reason) => {
  const init = () => makeBooking(options);

  expect(init).toThrow(UnsafeConfigurationError);
  expect(init).toThrow(reason);
});
