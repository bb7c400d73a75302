import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { LocalDurableTestRunner } from '@aws/durable-execution-sdk-js-testing';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { useTestDir } from '../../../../tests/helpers/test-dir.ts';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { readRecipes, writeExamples } from '../helpers/examples.ts';
import { readTotal } from '../helpers/totals.ts';

const table = useTable();
const dir = useTestDir();
let runner: LocalDurableTestRunner;

beforeAll(async () => {
  await writeExamples(dir.path, readRecipes());
  const { handler } = await import(path.join(dir.path, 'durable.js'));
  await LocalDurableTestRunner.setupTestEnvironment();
  runner = new LocalDurableTestRunner({ handlerFunction: handler });
});
afterAll(() => LocalDurableTestRunner.teardownTestEnvironment());

test('an order counts once though its step runs twice and two deliveries start an execution each', async () => {
  const order = { id: randomUUID(), customer: randomUUID(), cents: 250 };
  // The first attempt ends after its commit, and before the checkpoint.
  const { send } = DynamoDBClient.prototype;
  const interrupted = vi
    .spyOn(DynamoDBClient.prototype, 'send')
    .mockImplementationOnce(async function (this: DynamoDBClient, ...args: unknown[]) {
      await Reflect.apply(send, this, args);
      throw Object.assign(new Error('interrupted'), { name: 'AccessDeniedException' });
    });

  const first = await runner.run({ payload: order });
  const attempts = interrupted.mock.calls.length;
  const second = await runner.run({ payload: order });

  expect(attempts).toBe(2);
  const receipt = `R-${order.id}`;
  expect(first.getResult()).toEqual({ receipt });
  expect(second.getResult()).toEqual({ receipt });
  expect(await readTotal(table, order.customer)).toBe(250);
});
