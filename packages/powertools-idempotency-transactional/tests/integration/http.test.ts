import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Effects } from 'powertools-idempotency-transactional';
import { describe, expect, test } from 'vitest';
import { makeHttpEvent } from '../../../../fixtures/http-events.ts';
import { makeContext } from '../../../../fixtures/lambda-context.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { packageDir } from '../helpers/examples.ts';
import { makeConfig, makeLayer, type Order } from '../helpers/layer.ts';

/** What a request differs in from the usual one. */
type Change = Partial<APIGatewayProxyEventV2> & { caller?: string; method?: string };

const table = useTable();

const total = { PK: 'SHOP', SK: 'TOTAL' };
const readCents = async () => (await table.get(total.PK, total.SK))?.cents ?? 0;
const addCents = ({ cents }: Order): Effects => ({
  increments: [{ key: total, attribute: 'cents', by: cents }],
});

const order = (cents: number): Order => ({ id: randomUUID(), customer: 'ann', cents });

describe('an HTTP request, by the recipe of the README', async () => {
  const readme = await readFile(path.join(packageDir, 'README.md'), 'utf8');
  const [, recipe = ''] = readme.split('## Behind an HTTP endpoint');
  const read = (option: string) => new RegExp(`${option}:\\s+'(.+?)',`).exec(recipe)?.[1] ?? '';
  const options = {
    eventKeyJmesPath: read('eventKeyJmesPath'),
    payloadValidationJmesPath: read('payloadValidationJmesPath'),
    hashFunction: read('hashFunction'),
  };
  const toOrder = (event: APIGatewayProxyEventV2): Order => JSON.parse(event.body ?? '');
  const answer = ({ id }: Order) => ({ statusCode: 201, body: JSON.stringify({ booked: id }) });

  const post = (
    key: string | undefined,
    body: Order,
    { caller = 'alice', method = 'POST', ...parts }: Change = {},
  ) => {
    const layer = makeLayer<APIGatewayProxyEventV2>(
      (event) => ({ ...addCents(toOrder(event)), response: answer(toOrder(event)) }),
      makeConfig(options),
    );
    const handler = middy(async (event: APIGatewayProxyEventV2, _context: Context) =>
      layer.persistenceStore.responseOf(event),
    ).use(makeHandlerIdempotent({ ...layer, keyPrefix: 'REQUEST' }));
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const request = { rawPath: '/orders/7/cancel', headers, body: JSON.stringify(body), ...parts };
    return handler(makeHttpEvent(request, { caller, method }), makeContext());
  };

  test.each([
    ['body', { body: '{"id":"another","cents":3}' }],
    ['path', { rawPath: '/orders/8/cancel' }],
    ['query', { rawQueryString: 'refund=true' }],
    ['method', { method: 'PUT' }],
  ])('is refused if its %s is another under the same key', async (_, change) => {
    const [key, body, before] = [randomUUID(), order(3), await readCents()];
    await post(key, body);

    await expect(post(key, body, change)).rejects.toThrow('Payload does not match');
    expect((await readCents()) - before).toBe(3);
  });

  test.each([
    ['with the same key', ['alice', 'key'], ['bob', 'key']],
    ['with the same key and caller, once joined by "#"', ['a#b', 'c'], ['a', 'b#c']],
    ['with the same key and caller, once joined by quotes', ['a","b', 'c'], ['a', 'b","c']],
    ['with each other as keys', ['alice', 'bob'], ['bob', 'alice']],
    ['with long keys that differ at the end', ['a', 'k'.repeat(9_999)], ['a', 'k'.repeat(9_998)]],
  ])('counts for each of two clients %s', async (_, one, other) => {
    const [body, before, run] = [order(3), await readCents(), randomUUID()];
    const send = ([caller = '', key = '']: string[]) =>
      post(`${run}${key}`, body, { caller: `${run}${caller}` });

    const answers = [await send(one), await send(other), await send(one)];

    expect(answers).toEqual([answer(body), answer(body), answer(body)]);
    expect((await readCents()) - before).toBe(6);
  });

  test.each<[string, string | undefined, Change]>([
    ['no key', undefined, {}],
    ['an empty key', '', {}],
    ['no caller', 'key', { caller: '' }],
    ['no authorizer', 'key', { requestContext: { http: { method: 'POST' } } as never }],
    ['a role of IAM', 'key', { requestContext: { authorizer: { iam: {} } } as never }],
  ])('is refused with %s', async (_, key, parts) => {
    await expect(post(key, order(3), parts)).rejects.toMatchObject({
      cause: { name: 'IdempotencyKeyError' },
    });
  });
});

test.each<[string, Effects, unknown]>([
  ['without a response, is answered with null', {}, null],
  ['with the response 0, is answered with it', { response: 0 }, 0],
  ['with the response false, is answered with it', { response: false }, false],
  ['with an empty text as its response, is answered with it', { response: '' }, ''],
  [
    'with undefined parts of its response, is answered without them',
    { response: { statusCode: 201, headers: { server: undefined } } },
    { statusCode: 201, headers: {} },
  ],
])('the same event twice under Middy, %s, and counts once', async (_, effects, answered) => {
  const [event, before] = [order(3), await readCents()];
  const layer = makeLayer<Order>((body) => ({ ...addCents(body), ...effects }));
  const handler = middy(async (body: Order, _context: Context) =>
    layer.persistenceStore.receiptOf(body),
  ).use(makeHandlerIdempotent({ ...layer, keyPrefix: 'EVENT' }));

  const answers = [await handler(event, makeContext()), await handler({ ...event }, makeContext())];

  expect(answers).toEqual([`EVENT#${event.id}`, answered]);
  expect((await readCents()) - before).toBe(3);
});
