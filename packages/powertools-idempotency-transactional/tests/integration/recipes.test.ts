import { randomUUID } from 'node:crypto';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { localEnvironment } from '../../../../cli/local-aws.ts';
import { makeHttpEvent } from '../../../../fixtures/http-events.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { projectDir } from '../../../../local/engines/serverless.ts';
import { useTestDir } from '../../../../tests/helpers/test-dir.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { packageDir, readRecipes } from '../helpers/examples.ts';

interface Order {
  id: string;
  customer: string;
  cents: number;
}

const table = useTable();
const dir = useTestDir();

beforeAll(async () => {
  const environment = { ...localEnvironment(), AWS_ENDPOINT_URL_DYNAMODB: table.endpoint };
  for (const [name, value] of Object.entries({ ...environment, TABLE_NAME: table.tableName }))
    vi.stubEnv(name, value);
  await symlink(path.join(projectDir, 'node_modules'), path.join(dir.path, 'node_modules'));
  for (const [name, text] of await readRecipes())
    await writeFile(path.join(dir.path, name.replace('.ts', '.js')), stripTypeScriptTypes(text));
});

/** Calls a recipe's handler as Lambda does. */
async function invoke(name: string, event: object) {
  const { handler } = await import(path.join(dir.path, `${name}.js`));
  return handler(event, makeContext());
}
const customer = randomUUID();
const order = (cents: number): Order => ({ id: randomUUID(), customer, cents });
const readCents = async () => (await table.get(`CUSTOMER#${customer}`, 'TOTAL'))?.cents ?? 0;

describe('each order of a batch counts once', () => {
  const toBase64 = (one: Order) => Buffer.from(JSON.stringify(one)).toString('base64');
  const sources: [string, (one: Order) => object][] = [
    ['sqs', (one) => ({ messageId: randomUUID(), body: JSON.stringify(one) })],
    ['kinesis', (one) => ({ kinesis: { sequenceNumber: randomUUID(), data: toBase64(one) } })],
    [
      'stream',
      (one) => ({
        eventName: 'INSERT',
        dynamodb: { SequenceNumber: randomUUID(), NewImage: marshall(one) },
      }),
    ],
  ];

  test.each(sources)('of %s.ts', async (name, toRecord) => {
    const [first, second, changed] = [order(1), order(10), order(100)];
    const all = [first, second, first, changed, { ...changed, cents: 1_000 }];
    const before = await readCents();
    const deliver = () => invoke(name, { Records: all.map(toRecord) });

    const responses = [await deliver(), await deliver()];

    expect((await readCents()) - before).toBe(111);
    // Only the changed payload of a known key fails.
    expect(responses.map(({ batchItemFailures }) => batchItemFailures.length)).toEqual([1, 1]);
  });

  test('and what the stream removes or changes does not', async () => {
    const before = await readCents();
    const toRecord = (eventName: string) => ({
      eventName,
      dynamodb: { SequenceNumber: eventName, NewImage: marshall(order(1)) },
    });

    await invoke('stream', { Records: ['MODIFY', 'REMOVE'].map(toRecord) });

    expect(await readCents()).toBe(before);
  });
});

test('an order that EventBridge delivers twice counts once', async () => {
  const detail = order(7);
  const before = await readCents();

  const deliver = () => invoke('eventbridge', { id: randomUUID(), detail });
  await deliver();
  await deliver();

  expect((await readCents()) - before).toBe(7);
});

describe('a request to http.ts', () => {
  const post = (key: string, text: string, caller = 'alice', method = 'POST', parts = {}) => {
    const headers = { 'idempotency-key': key };
    const request = { rawPath: '/orders', headers, body: text, ...parts };
    return invoke('http', makeHttpEvent(request, { caller, method }));
  };
  const body = (one: Order) => JSON.stringify(one);
  const booked = ({ id }: Order) => ({ statusCode: 201, body: JSON.stringify({ booked: id }) });

  test('has the settings that the README explains', async () => {
    const readme = await readFile(path.join(packageDir, 'README.md'), 'utf8');
    const [, settings = ''] =
      /^## Behind an HTTP.*?IdempotencyConfig\(\{\n(.*?) {2}expires/ms.exec(readme) ?? [];

    expect(settings).toContain('hashFunction');
    expect((await readRecipes()).get('http.ts')).toContain(settings.replace(/ {2}throwOn.*\n/, ''));
  });

  test.each([
    ['body', body(order(1)), undefined, {}],
    ['path', undefined, 'POST', { rawPath: '/refunds' }],
    ['query', undefined, 'POST', { rawQueryString: 'refund=true' }],
    ['method', undefined, 'PUT', {}],
  ])('gets the same response twice, but 422 if its %s changes', async (_, text, method, parts) => {
    const [key, one, before] = [randomUUID(), order(3), await readCents()];

    const answers = [
      await post(key, body(one)),
      await post(key, body(one)),
      await post(key, text ?? body(one), 'alice', method, parts),
    ];

    expect(answers).toEqual([booked(one), booked(one), { statusCode: 422 }]);
    expect((await readCents()) - before).toBe(3);
  });

  test.each([
    ['with the same key', ['alice', 'key'], ['bob', 'key']],
    ['with the same key and caller, once joined by "#"', ['a#b', 'c'], ['a', 'b#c']],
    ['with the same key and caller, once joined by quotes', ['a","b', 'c'], ['a', 'b","c']],
    ['with each other as keys', ['alice', 'bob'], ['bob', 'alice']],
    ['with long keys that differ at the end', ['a', 'k'.repeat(9_999)], ['a', 'k'.repeat(9_998)]],
  ])('counts for each of two clients %s', async (_, one, other) => {
    const [same, before, run] = [order(3), await readCents(), randomUUID()];
    const send = ([caller = '', key = '']: string[]) =>
      post(`${run}${key}`, body(same), `${run}${caller}`);

    const answers = [await send(one), await send(other), await send(one)];

    expect(answers).toEqual(Array(3).fill(booked(same)));
    expect((await readCents()) - before).toBe(6);
  });
});

describe('what nobody should send fails by itself, and the order beside it counts', () => {
  const id = () => randomUUID();
  const text = (order: object) => JSON.stringify(order);
  const bodies: [string, string][] = [
    ['nothing', ''],
    ['no JSON', '{"id":'],
    ['JSON of a kind that is no order', 'null'],
    ['an order without an id', text({ customer, cents: 1 })],
    ['an order without a customer', text({ id: id(), cents: 1 })],
    ['cents as text', text({ ...order(1), cents: '250' })],
    ['cents beyond what JavaScript can count', `{"id":"${id()}","customer":"a","cents":1e400}`],
    ['an id with quotes, which would break JSON', text({ ...order(1), id: 'a","b' })],
    ['an id of half a character', `{"id":"\\ud800","customer":"a","cents":1}`],
    ['an id that is too long', text({ ...order(1), id: 'a'.repeat(3_000) })],
    ['a byte order mark before it', `\ufeff${text(order(1))}`],
  ];
  const base64 = (body: string) => Buffer.from(body).toString('base64');
  const toSqs = (body: string) => ({ messageId: id(), body });
  const toKinesis = (body: string) => ({ kinesis: { sequenceNumber: id(), data: base64(body) } });
  const sources: [string, (body: string) => object][] = [
    ['sqs', toSqs],
    ['kinesis', toKinesis],
  ];

  test.each(sources)('in a batch of %s.ts', async (name, toRecord) => {
    const good = order(9);
    const before = await readCents();
    const records = [...bodies.map(([, body]) => body), text(good)].map(toRecord);

    const { batchItemFailures } = await invoke(name, { Records: records });
    const alone = await invoke(name, { Records: records.slice(0, 1) });

    expect(batchItemFailures).toHaveLength(bodies.length);
    expect(alone.batchItemFailures).toHaveLength(1);
    expect((await readCents()) - before).toBe(9);
  });

  test.each([
    ['no image', undefined],
    ['no key', marshall({ customer, cents: 1 })],
    [
      'a number that JavaScript loses',
      { ...marshall(order(1)), cents: { N: '12345678901234567890' } },
    ],
    ['another type', { ...marshall(order(1)), id: { SS: ['a'] } }],
  ])('in a batch of stream.ts: %s', async (_, NewImage) => {
    const before = await readCents();
    const toRecord = (image?: object) => ({
      eventName: 'INSERT',
      dynamodb: { SequenceNumber: id(), ...(image && { NewImage: image }) },
    });

    const response = await invoke('stream', {
      Records: [toRecord(NewImage), toRecord(marshall(order(5)))],
    });

    expect(response.batchItemFailures).toHaveLength(1);
    expect((await readCents()) - before).toBe(5);
  });

  test('as an event of EventBridge', async () => {
    for (const body of [...bodies.map(([, one]) => one), '']) {
      const detail = await Promise.try(() => JSON.parse(body)).catch(() => body);

      await expect(invoke('eventbridge', { id: id(), detail })).rejects.toThrow('expected');
    }
  });

  const key = (value: string = id()) => ({ 'idempotency-key': value });
  const valid = text(order(3));
  const iam = { authorizer: { iam: {} } } as never;
  test.each<[string, Parameters<typeof makeHttpEvent>[0] & { requestContext?: never }, number]>([
    ...bodies.map(([title, body]) => [title, { headers: key(), body }, 400] as never),
    ['null as its body', { headers: key(), body: null as never }, 400],
    ['no headers', { headers: undefined as never, body: valid }, 400],
    ['an empty key', { headers: key(''), body: valid }, 400],
    ['no authorizer', { headers: key(), body: valid, requestContext: {} as never }, 400],
    ['no caller', { headers: key(), body: valid, requestContext: iam }, 400],
    ['text that says it is base64', { headers: key(), body: '!', isBase64Encoded: true }, 400],
    ['base64', { headers: key(), body: base64(valid), isBase64Encoded: true }, 201],
    ['a key with odd characters', { headers: key(`"'#\u{1f600}\ud800 `), body: valid }, 201],
    ['a key of 8 KB', { headers: key(id().padEnd(8_000, 'k')), body: valid }, 201],
  ])('as a request: %s', async (_, parts, statusCode) => {
    const send = () => invoke('http', makeHttpEvent({ rawPath: '/orders', ...parts }));

    for (const response of [await send(), await send()]) {
      expect(response.statusCode).toBe(statusCode);
      if (response.body) expect(() => JSON.parse(response.body)).not.toThrow();
    }
  });
});
