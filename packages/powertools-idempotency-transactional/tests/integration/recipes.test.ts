import { randomUUID } from 'node:crypto';
import { symlink, writeFile } from 'node:fs/promises';
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
import { readRecipes } from '../helpers/examples.ts';

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

test('a request is answered twice alike and counts once; with another path it is refused', async () => {
  const body = order(3);
  const before = await readCents();
  const headers = { 'idempotency-key': randomUUID() };
  const post = (rawPath: string) =>
    invoke('http', makeHttpEvent({ rawPath, headers, body: JSON.stringify(body) }));

  const answers = [await post('/orders'), await post('/orders'), await post('/refunds')];

  const booked = { statusCode: 201, body: JSON.stringify({ booked: body.id }) };
  expect(answers).toEqual([booked, booked, { statusCode: 422 }]);
  expect((await readCents()) - before).toBe(3);
});
