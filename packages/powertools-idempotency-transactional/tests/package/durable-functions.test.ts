import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { LocalDurableTestRunner } from '@aws/durable-execution-sdk-js-testing';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { localEnvironment } from '../../../../cli/local-aws.ts';
import { useTestDir } from '../../../../tests/helpers/test-dir.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { packageDir, readBlock, writeExample } from '../helpers/examples.ts';

const table = useTable();
const dir = useTestDir();
let runner: LocalDurableTestRunner;

beforeAll(async () => {
  const environment = { ...localEnvironment(), AWS_ENDPOINT_URL_DYNAMODB: table.endpoint };
  for (const [name, value] of Object.entries({ ...environment, TABLE_NAME: table.tableName }))
    vi.stubEnv(name, value);
  const page = await readFile(path.join(packageDir, 'durable-functions.md'), 'utf8');
  const { handler } = await import(await writeExample(dir.path, readBlock(page)));
  await LocalDurableTestRunner.setupTestEnvironment();
  runner = new LocalDurableTestRunner({ handlerFunction: handler });
});
afterAll(() => LocalDurableTestRunner.teardownTestEnvironment());

const newOrder = () => ({ id: randomUUID(), customer: randomUUID(), cents: 250 });

test('an order counts once though its step runs twice, and both attempts have one result', async () => {
  const order = newOrder();
  // The first attempt ends after its commit, and before the checkpoint.
  const { send } = DynamoDBClient.prototype;
  const interrupted = vi
    .spyOn(DynamoDBClient.prototype, 'send')
    .mockImplementationOnce(async function (this: DynamoDBClient, ...args: unknown[]) {
      await Reflect.apply(send, this, args);
      throw Object.assign(new Error('interrupted'), { name: 'AccessDeniedException' });
    });

  const execution = await runner.run({ payload: order });

  expect(interrupted).toHaveBeenCalledTimes(2);
  expect(execution.getResult()).toEqual({ receipt: `R-${order.id}` });
  expect(await table.get(`CUSTOMER#${order.customer}`, 'TOTAL')).toMatchObject({ cents: 250 });
});

test('an order counts once though two deliveries start an execution each', async () => {
  const order = newOrder();

  const results = [await runner.run({ payload: order }), await runner.run({ payload: order })];

  expect(results.map((execution) => execution.getResult())).toEqual(
    Array(2).fill({ receipt: `R-${order.id}` }),
  );
  expect(await table.get(`CUSTOMER#${order.customer}`, 'TOTAL')).toMatchObject({ cents: 250 });
});
