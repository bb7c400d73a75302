import {
  IdempotencyItemAlreadyExistsError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import type { IdempotencyConfigOptions } from '@aws-lambda-powertools/idempotency/types';
import {
  type AttributeValue,
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type Effects,
  InvalidEffectsError,
  ReceiptMissingError,
  TransactionalPersistenceLayer,
  type TransactionalPersistenceLayerOptions,
  UnsafeConfigurationError,
} from 'powertools-idempotency-transactional';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { makeConfig as makeOrderConfig } from '../helpers/layer.ts';
import { accepted } from './scripted-dynamodb.ts';

interface Order {
  id: string;
  customer: string;
}

const effects = ({ customer }: Order): Effects => ({
  increments: [{ key: { PK: customer, SK: 'TOTAL' }, attribute: 'orders', by: 1 }],
});

const markerTtlSeconds = 100;
const makeConfig = (config: IdempotencyConfigOptions = {}) =>
  makeOrderConfig({
    payloadValidationJmesPath: 'customer',
    expiresAfterSeconds: markerTtlSeconds,
    ...config,
  });

/** A layer over a DynamoDB that commits everything, unless it is given other answers. */
function makeLayer(
  options: Partial<TransactionalPersistenceLayerOptions<Order>> = {},
  ...answers: (() => Promise<object>)[]
) {
  const send = vi.fn(
    async (_command: TransactWriteItemsCommand, _options: { abortSignal: AbortSignal }) =>
      (answers.shift() ?? (async () => accepted))(),
  );
  const layer = new TransactionalPersistenceLayer<Order>({
    client: { send } as unknown as DynamoDBClient,
    tableName: 'orders',
    config: makeConfig(),
    markerTtlSeconds,
    effects,
    markerKey: (idempotencyKey) => ({ PK: idempotencyKey, SK: 'ORDER' }),
    ...options,
  });
  return { layer, send };
}

/** A function that books an order once. */
const makeBooking = (
  layer: TransactionalPersistenceLayer<Order>,
  config = {},
  confirm = (_order: Order) => 'booked',
) =>
  makeIdempotent(async (order: Order, _context: unknown) => confirm(order), {
    persistenceStore: layer,
    keyPrefix: 'ORDER',
    config: makeConfig(config),
  });

const order: Order = { id: '1', customer: 'ann' };
const keyOfOrder = { PK: { S: 'ORDER#1' }, SK: { S: 'ORDER' } };
// The hash is that of echo -n '"ann"' | openssl md5 -binary | base64
const stored = {
  ...keyOfOrder,
  ttl: { N: '4000000000' },
  validation: { S: '2aIAAw4ap2nXtxZm5gbztA==' },
};

/** Refuses an order because it was committed before. */
const refuse = (Item?: Record<string, AttributeValue>) => async () => {
  const taken = { Code: 'ConditionalCheckFailed', ...(Item && { Item }) };
  const CancellationReasons = [taken, { Code: 'None' }];
  throw new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });
};

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a payload's marker has a readable key, and Powertools' expiry and hash", async () => {
  vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] });
  const { layer, send } = makeLayer({ markerAttributes: { of: ({ customer }) => customer } });
  const book = makeBooking(layer);

  const result = await book(order, makeContext());
  vi.useRealTimers();

  expect(result).toBe('booked');
  expect(send.mock.calls[0]?.[0].input.TransactItems?.[0]?.Put?.Item).toEqual({
    PK: { S: 'ORDER#1' },
    SK: { S: 'ORDER' },
    of: { S: 'ann' },
    ttl: { N: '1800000100' },
    validation: stored.validation,
  });
});

test('the layer gives no receipt for another payload, not even an equal one', async () => {
  const { layer } = makeLayer();
  const book = makeBooking(layer, {}, () => layer.receiptOf({ ...order }));

  await expect(book(order, makeContext())).rejects.toThrow(
    new ReceiptMissingError('expected a committed payload; got one that bypassed the layer'),
  );
});

describe('Powertools cannot bypass the layer', () => {
  test('POWERTOOLS_IDEMPOTENCY_DISABLED is refused at init', () => {
    vi.stubEnv('POWERTOOLS_IDEMPOTENCY_DISABLED', 'true');

    expect(makeLayer).toThrow(UnsafeConfigurationError);
    expect(makeLayer).toThrow('Unset it');
  });

  test.each<[IdempotencyConfigOptions, string, boolean]>([
    [{ throwOnNoIdempotencyKey: false }, 'Set it to true.', true],
    [{ expiresAfterSeconds: undefined }, 'expiresAfterSeconds is 3600', true],
    [{ expiresAfterSeconds: 99 }, "the layer's markerTtlSeconds is 100. Set both to the", true],
    [{ payloadValidationJmesPath: undefined }, 'payloadValidationJmesPath is not set', true],
    [{ payloadValidationJmesPath: 'id' }, 'is "id", but "customer" in the layer\'s', false],
    [{ eventKeyJmesPath: 'number' }, 'is "number", but "id" in the layer\'s config', false],
    [{ hashFunction: 'sha256' }, 'is "sha256", but "md5" in the layer\'s config', false],
  ])('%j is refused with the first record: %s. At init: %s', async (config, reason, atInit) => {
    const { layer, send } = makeLayer();
    const booking = makeBooking(layer, config);

    await expect(async () => booking(order, makeContext())).rejects.toSatisfy(
      (error) => error instanceof UnsafeConfigurationError && error.message.includes(reason),
      `an UnsafeConfigurationError with "${reason}"`,
    );
    expect(send).not.toHaveBeenCalled();
    const init = () => makeLayer({ config: makeConfig(config) });
    if (atInit) expect(init).toThrow(reason);
    else expect(init).not.toThrow();
  });

  test('a record without a Lambda context is refused', async () => {
    const { layer, send } = makeLayer();
    const book = makeBooking(layer);

    const booking = async () => book(order, undefined);

    await expect(booking).rejects.toMatchObject({
      cause: {
        name: 'UnsafeConfigurationError',
        message:
          'there is no Lambda context, so the layer does not know when the invocation ends. Pass ' +
          "the context as the wrapped function's second argument, register it with the config's " +
          "registerLambdaContext, or set the layer's commitTimeoutMs.",
      },
    });
    expect(send).not.toHaveBeenCalled();
  });

  test.each(['', 0, null, undefined, [], [null, '']])(
    'a payload whose key is %j is refused',
    async (id) => {
      const { layer, send } = makeLayer();
      const book = makeBooking(layer);

      await expect(book({ ...order, id } as never, makeContext())).rejects.toMatchObject({
        cause: { name: 'IdempotencyKeyError' },
      });
      expect(send).not.toHaveBeenCalled();
    },
  );

  test('a replay of a durable handler books nothing again, and has no receipt', async () => {
    const { layer, send } = makeLayer({}, async () => accepted, refuse(stored));
    const book = makeBooking(layer, {}, (one) => layer.receiptOf(one));
    const lambdaContext = makeContext();
    const run = async (durableExecutionMode: string) =>
      book({ ...order }, { step: () => {}, lambdaContext, durableExecutionMode });

    expect(await run('ExecutionMode')).toBe('ORDER#1');
    await expect(run('ReplayMode')).rejects.toThrow(ReceiptMissingError);
    expect(send).toHaveBeenCalledTimes(2);
  });
});

test.each([
  ['DynamoDB cannot take a value of it', () => undefined as unknown as string],
  [
    'its effects throw a value that is not an Error',
    () => {
      throw 'a text';
    },
  ],
])('a payload fails alone if %s', async (_, fail) => {
  const { layer, send } = makeLayer({
    markerAttributes: { of: ({ id, customer }) => (id === '2' ? fail() : customer) },
  });
  const book = makeBooking(layer);

  const results = await Promise.allSettled([
    book(order, makeContext()),
    book({ ...order, id: '2' }, makeContext()),
  ]);

  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  expect(send).toHaveBeenCalledOnce();
});

const denied = async () => {
  const fields = { name: 'AccessDeniedException', $metadata: {}, $fault: 'client' };
  throw Object.assign(new Error('no'), fields);
};

test.each([
  ['committed needs no request to DynamoDB', [], ['booked', 'known'], 1],
  ['failed to commit is tried again', [denied], ['IdempotencyPersistenceLayerError', 'booked'], 2],
])('a payload that the same instance has %s', async (_, answers, expected, requests) => {
  const { layer, send } = makeLayer({}, ...answers);
  const book = makeBooking(layer, { useLocalCache: true, responseHook: () => 'known' });
  const deliver = () =>
    Promise.try(() => book({ ...order }, makeContext())).catch(({ name }) => name);

  expect([await deliver(), await deliver()]).toEqual(expected);
  expect(send).toHaveBeenCalledTimes(requests);
});

describe('an order whose marker is a slot', () => {
  const slot = (idempotencyKey: string) => {
    const [, index] = /^ORDER#sheet-(\d+)$/.exec(idempotencyKey) ?? [];
    return index ? { sheetKey: { PK: 'SHEET', SK: 'ORDER' }, index: Number(index) } : undefined;
  };
  const validating = { responseHook: () => 'known' };
  const order = { id: 'sheet-12', customer: 'ann' };
  const b2 = { B: Buffer.from(stored.validation.S, 'base64').subarray(0, 5) };
  const sheet = { PK: { S: 'SHEET' }, SK: { S: 'ORDER' }, ttl: { N: '4000000000' } };

  test('is marked by its slot, until the first full hour after its expiry', async () => {
    vi.useFakeTimers({ now: 1_800_000_000_000, toFake: ['Date'] });
    const { layer, send } = makeLayer({ slot });
    const book = makeBooking(layer, validating);

    const result = await book(order, makeContext());
    vi.useRealTimers();

    expect(result).toBe('booked');
    expect(send.mock.calls[0]?.[0].input.TransactItems?.[0]?.Update).toMatchObject({
      Key: { PK: sheet.PK, SK: sheet.SK },
      // 1,800,000,100 is 100 seconds after a full hour.
      ExpressionAttributeValues: { ':b2': b2, ':ttl': { N: '1800003600' } },
    });
  });

  test('cannot have a response', async () => {
    const { layer, send } = makeLayer({ slot, effects: () => ({ response: 'booked' }) });

    await expect(makeBooking(layer)(order, makeContext())).rejects.toMatchObject({
      cause: new InvalidEffectsError(
        'expected no response for a payload whose marker is on a sheet; got one',
      ),
    });
    expect(send).not.toHaveBeenCalled();
  });

  test.each([
    ['its payload', 'ann', '4000000000', ['known', 'known']],
    ['its payload, and has expired', 'ann', '1', ['known', 'known']],
    ['another payload', 'bob', '4000000000', Array(2).fill('IdempotencyValidationError')],
  ])(
    'is checked on a cold cache against a sheet with %s, and then by memory',
    async (_, customer, expiry, expected) => {
      const { layer } = makeLayer(
        { slot },
        ...Array(2).fill(refuse({ ...sheet, b2, ttl: { N: expiry } })),
      );
      const book = makeBooking(layer, { ...validating, useLocalCache: true });
      const deliver = () =>
        Promise.try(() => book({ ...order, customer }, makeContext())).catch(({ name }) => name);

      expect([await deliver(), await deliver()]).toEqual(expected);
    },
  );

  test('fails alone if no sheet has its slot', async () => {
    const { layer, send } = makeLayer({ slot });
    const book = makeBooking(layer, validating);

    const results = await Promise.allSettled([
      book({ ...order, id: 'sheet-128' }, makeContext()),
      book({ ...order, id: '1' }, makeContext()),
    ]);

    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(send.mock.calls[0]?.[0].input.TransactItems?.[0]?.Put?.Item?.PK).toEqual({
      S: 'ORDER#1',
    });
  });
});

describe('saving an order', () => {
  /** A layer that Powertools has configured. */
  function configured(...answers: (() => Promise<object>)[]) {
    const { layer, send } = makeLayer({ commitTimeoutMs: 5_000 }, ...answers);
    const config = makeConfig({ useLocalCache: true });
    layer.configure({ config, keyPrefix: 'ORDER' });
    const save = (payload: object = order, remainingMs?: number) =>
      layer.saveInProgress(payload as Parameters<typeof layer.saveInProgress>[0], remainingMs);
    return { layer, send, save };
  }

  test('in an invocation without time left fails without a request', async () => {
    using _ = vi.spyOn(console, 'warn').mockReturnValue();
    const { send, save } = configured();

    await expect(save(order, 0)).rejects.toThrow('no attempt was made');
    expect(send).not.toHaveBeenCalled();
  });

  test.each<[string, { records: number; remainingMs: number; msEach?: number }, number]>([
    ['half a second', { records: 100, remainingMs: 60_000 }, 59_500],
    [
      'as long as it took to prepare them',
      { records: 100, remainingMs: 60_000, msEach: 10 },
      58_510,
    ],
    ['half of what remains, at most', { records: 100, remainingMs: 3_000, msEach: 20 }, 2_500],
  ])('holds back time to report failures: %s, as in %j', async (_, batch, untilMs) => {
    vi.useFakeTimers({ now: 0 });
    const { records, remainingMs, msEach = 0 } = batch;
    const { layer } = makeLayer(
      {
        effects: (one) => {
          vi.setSystemTime(Date.now() + msEach);
          return effects(one);
        },
      },
      ...Array(records).fill(() => new Promise(() => {})),
    );
    layer.configure({ config: makeConfig(), keyPrefix: 'ORDER' });
    const ends: number[] = [];

    const saving = Array.from({ length: records }, (_, id) =>
      layer
        .saveInProgress({ ...order, id: `${id}` }, remainingMs)
        .catch(() => ends.push(Date.now())),
    );
    await vi.runAllTimersAsync();
    await Promise.all(saving);
    vi.useRealTimers();

    expect(ends).toHaveLength(records);
    // An outcome may come 0.1 s after its deadline.
    expect(Math.min(...ends)).toBe(untilMs + 100);
  });

  test('again is refused with its record', async () => {
    const { save } = configured(refuse(stored));

    const saving = save(order, 5_000);

    await expect(saving).rejects.toThrow(IdempotencyItemAlreadyExistsError);
    await expect(saving).rejects.toMatchObject({
      message: 'already committed: ORDER#1',
      existingRecord: {
        idempotencyKey: 'ORDER#1',
        status: 'COMPLETED',
        expiryTimestamp: 4_000_000_000,
        payloadHash: stored.validation.S,
      },
    });
  });

  // printf ID | openssl md5 -binary | base64, where a text is in quotes and a surrogate is escaped
  test.each([
    ['is not a text', 7, 'jxTkX87qFnpaNt7dS+olQw=='],
    ['has more than 994 bytes', 'x'.repeat(995), 'WvbwBSv1hAIltGXvwwF+cg=='],
    ['has 994 bytes', 'x'.repeat(994), 'x'.repeat(994)],
    ['has half a character', '\ud800', 'rpPkBZkWNPBDSTQL6zMevw=='],
  ])('whose id %s has this key', async (_, id, key) => {
    const { layer, save } = configured();
    const numbered = { ...order, id };

    await save(numbered, 5_000);

    expect(layer.receiptOf(numbered as unknown as Order)).toBe(`ORDER#${key}`);
  });

  test.each([
    ['its own prefix, trimmed', ' ORDER ', 'ORDER#1'],
    ["the function's name without a prefix", undefined, 'book-orders#1'],
    ["the function's name for a blank prefix", ' ', 'book-orders#1'],
  ])('uses %s, whichever function used the layer before', async (_, keyPrefix, receipt) => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'book-orders');
    const { layer, save } = configured();
    const config = makeConfig({ useLocalCache: true });
    layer.configure({ config, keyPrefix: 'REFUND' });
    layer.configure({ config, ...(keyPrefix && { keyPrefix }) });

    await save(order, 5_000);

    expect(layer.receiptOf(order)).toBe(receipt);
  });

  // With the prefix ORDER, the id REFUND#1 would have the key of the prefix ORDER#REFUND and the id 1.
  test('under a prefix with a # is refused', () => {
    const { layer } = makeLayer();

    expect(() => layer.configure({ config: makeConfig(), keyPrefix: 'ORDER#REFUND' })).toThrow(
      new UnsafeConfigurationError(
        'keyPrefix is "ORDER#REFUND". Leave out #, which separates it from the key: otherwise two ' +
          'prefixes could have a key in common.',
      ),
    );
  });
});

describe('options that would lose or repeat work are refused at init', () => {
  const keyOf = (...names: string[]) => ({
    markerKey: (key: string) => Object.fromEntries(names.map((name) => [name, key])),
  });

  test.each<[string, Partial<TransactionalPersistenceLayerOptions<Order>>, string]>([
    ['no lifetime', { markerTtlSeconds: Number.NaN }, 'a whole number of seconds above 0'],
    [
      'a commit that may take no time',
      { commitTimeoutMs: 0 },
      'commitTimeoutMs is 0. Set it to a whole number of milliseconds above 0',
    ],
    ['a marker without a key', { markerKey: () => ({}) }, 'partition key first'],
    [
      'a key named like the expiry',
      keyOf('ttl', 'SK'),
      'the layer and markerKey both name the attribute "ttl". Rename one.',
    ],
    [
      'an attribute named like the key',
      { markerAttributes: { SK: () => 'x' } },
      'markerKey and markerAttributes both name',
    ],
  ])('%s', (_, options, reason) => {
    const init = () => makeLayer(options);

    expect(init).toThrow(UnsafeConfigurationError);
    expect(init).toThrow(reason);
  });

  test('but not changed payloads if they are accepted by name', async () => {
    const config = makeConfig({
      payloadValidationJmesPath: undefined,
      responseHook: () => 'known',
    });
    const stored = { PK: keyOfOrder.PK, ttl: { N: '4000000000' }, validation: { S: '' } };
    const { layer } = makeLayer({ config, acceptChangedPayloads: true }, refuse(stored));
    const book = makeIdempotent(async (_order: Order, _context: unknown) => 'booked', {
      persistenceStore: layer,
      keyPrefix: 'ORDER',
      config,
    });

    expect(await book({ ...order, customer: 'bob' }, makeContext())).toBe('known');
  });
});
