import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makeHttpEvent } from '../../../../fixtures/http-events.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { makeBatch } from '../../../../fixtures/sqs-events.ts';
import { useTestDir } from '../../../../tests/helpers/test-dir.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { readPage, readRecipes, writeExamples } from '../helpers/examples.ts';
import type { Order } from '../helpers/layer.ts';
import { readTotal } from '../helpers/totals.ts';

const table = useTable();
const dir = useTestDir();

beforeAll(async () => {
  const trial = readPage('examples/try-it/book-orders.ts');
  await writeExamples(dir.path, readRecipes().set('book-orders.ts', trial));
});

/** Calls an example's handler as Lambda does. */
async function invoke(name: string, event: object) {
  const { handler } = await import(path.join(dir.path, `${name}.js`));
  return handler(event, makeContext());
}
const id = () => randomUUID();
const customer = id();
const order = (cents: number): Order => ({ id: id(), customer, cents });
const readCents = () => readTotal(table, customer);
const toText = (one: object) => JSON.stringify(one);
const toBase64 = (text: string) => Buffer.from(text).toString('base64');

/** What nobody should send. */
const bodies: [string, string][] = [
  ['nothing', ''],
  ['JSON of a kind that is no order', 'null'],
  ['an order without an id', toText({ customer, cents: 1 })],
  ['cents as text', toText({ ...order(1), cents: '250' })],
  ['cents beyond what JavaScript can count', `{"id":"${id()}","customer":"a","cents":1e400}`],
  ['an id with quotes, which would break JSON', toText({ ...order(1), id: 'a","b' })],
  ['an id of half a character', `{"id":"\\ud800","customer":"a","cents":1}`],
];
const badTexts = bodies.map(([, text]) => text);

const toSqs = (body: string) => ({ messageId: id(), body });
const toKinesis = (body: string) => ({
  kinesis: { sequenceNumber: id(), data: toBase64(body) },
});
const toChange = (eventName: string, NewImage?: object) => ({
  eventName,
  dynamodb: { SequenceNumber: id(), ...(NewImage && { NewImage }) },
});
const badImages = [
  undefined,
  marshall({ customer, cents: 1 }),
  // JavaScript loses digits of this number.
  { ...marshall(order(1)), cents: { N: '12345678901234567890' } },
  { ...marshall(order(1)), id: { SS: ['a'] } },
];

test.each<[string, (one: Order) => object, object[], object[]]>([
  ['sqs', (one) => toSqs(toText(one)), badTexts.map(toSqs), []],
  ['kinesis', (one) => toKinesis(toText(one)), badTexts.map(toKinesis), []],
  [
    'stream',
    (one) => toChange('INSERT', marshall(one)),
    badImages.map((image) => toChange('INSERT', image)),
    ['MODIFY', 'REMOVE'].map((name) => toChange(name, marshall(order(1)))),
  ],
])(
  'each order of a batch of %s.ts counts once, and what nobody should send fails by itself',
  async (name, toRecord, bad, ignored) => {
    const first = order(1);
    const second = order(10);
    const changed = order(100);
    const all = [first, second, first, changed, { ...changed, cents: 1_000 }].map(toRecord);
    const before = await readCents();
    const deliver = async (...Records: object[]) =>
      (await invoke(name, { Records })).batchItemFailures.length;

    const failures = [
      await deliver(...bad, ...all, ...ignored),
      await deliver(...all),
      await deliver(...bad.slice(0, 1)),
    ];

    // Of the orders, only the changed payload of a known key fails.
    expect(failures).toEqual([bad.length + 1, 1, 1]);
    expect((await readCents()) - before).toBe(111);
  },
);

test('an order that EventBridge delivers twice counts once, and what nobody should send fails', async () => {
  const detail = order(7);
  const before = await readCents();
  const deliver = (one: unknown) => invoke('eventbridge', { id: id(), detail: one });

  await deliver(detail);
  await deliver(detail);

  expect((await readCents()) - before).toBe(7);
  for (const text of badTexts) {
    const bad = await Promise.try(() => JSON.parse(text)).catch(() => text);
    await expect(deliver(bad), text).rejects.toThrow('expected');
  }
});

// The deliveries come later than Powertools' default hour, and than all retentions but one day.
test('the README’s example books an order once for weeks, and rejects another price', async () => {
  const one = order(250);
  const before = await readCents();
  const deliver = (...orders: Order[]) => invoke('book-orders', makeBatch(orders.map(toText)));
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });

  for (const laterMinutes of [0, 60, 21 * 24 * 60]) {
    vi.setSystemTime(Date.now() + laterMinutes * 60_000);
    expect(await deliver(one, one)).toEqual({ batchItemFailures: [] });
  }
  vi.useRealTimers();

  await expect(deliver({ ...one, cents: 300 })).rejects.toThrow('All records failed processing');
  expect((await readCents()) - before).toBe(250);
  expect(await table.get(`ORDER#${one.id}`, 'ORDER')).toMatchObject({ cents: 250 });
});

describe('a request to http.ts', () => {
  const post = (key: string, body: string, caller = 'alice', method = 'POST', parts = {}) => {
    const request = { rawPath: '/orders', headers: { 'idempotency-key': key }, body, ...parts };
    return invoke('http', makeHttpEvent(request, { caller, method }));
  };
  const booked = (one: Order) => ({ statusCode: 201, body: toText({ booked: one.id }) });

  test.each([
    ['body', toText(order(1)), 'POST', {}],
    ['path', undefined, 'POST', { rawPath: '/refunds' }],
    ['method', undefined, 'PUT', {}],
  ])('gets the same response twice, but 422 if its %s changes', async (_, text, method, parts) => {
    const key = id();
    const one = order(3);
    const before = await readCents();

    const answers = [
      await post(key, toText(one)),
      await post(key, toText(one)),
      await post(key, text ?? toText(one), 'alice', method, parts),
    ];

    expect(answers).toEqual([booked(one), booked(one), { statusCode: 422 }]);
    expect((await readCents()) - before).toBe(3);
  });

  test.each([
    ['with the same key', ['alice', 'key'], ['bob', 'key']],
    ['with the same key and caller, once joined by "#"', ['a#b', 'c'], ['a', 'b#c']],
    ['with long keys that differ at the end', ['a', 'k'.repeat(9_999)], ['a', 'k'.repeat(9_998)]],
  ])('counts for each of two clients %s', async (_, one, other) => {
    const same = order(3);
    const before = await readCents();
    const run = id();
    const send = ([caller = '', key = '']: string[]) =>
      post(`${run}${key}`, toText(same), `${run}${caller}`);

    const answers = [await send(one), await send(other), await send(one)];

    expect(answers).toEqual(Array(3).fill(booked(same)));
    expect((await readCents()) - before).toBe(6);
  });

  const valid = toText(order(3));
  const iam = { authorizer: { iam: {} } };
  test.each<[string, object, number]>([
    ...bodies.map(([title, body]): [string, object, number] => [title, { body }, 400]),
    ['an empty key', { headers: { 'idempotency-key': '' } }, 400],
    ['no caller', { requestContext: iam }, 400],
    ['base64', { body: toBase64(valid), isBase64Encoded: true }, 201],
    ['odd characters', { headers: { 'idempotency-key': `"'#\u{1f600}\ud800 ` } }, 201],
  ])('is answered the same twice: %s', async (_, parts, statusCode) => {
    const key = id();
    for (const response of [
      await post(key, valid, 'alice', 'POST', parts),
      await post(key, valid, 'alice', 'POST', parts),
    ]) {
      expect(response.statusCode).toBe(statusCode);
      if (response.body) expect(() => JSON.parse(response.body)).not.toThrow();
    }
  });
});
