import { beforeEach, expect, test } from 'vitest';
import { createRandom } from '../../../../fixtures/random.ts';
import type { Answer } from '../../../simulation/aws-service.ts';
import { DynamoDb } from '../../../simulation/dynamodb/dynamodb.ts';
import { ItemStore, keyOf } from '../../../simulation/dynamodb/item-store.ts';
import { Statistics } from '../../../simulation/statistics.ts';
import { VirtualTime } from '../../../simulation/virtual-time.ts';

const key = { PK: { S: 'LINK#spring' }, SK: { S: 'META' } };
const tableName = 'ClickTable';
const increment = {
  ...{ TableName: tableName, Key: key, UpdateExpression: 'ADD clicks :one' },
  ExpressionAttributeValues: { ':one': { N: '1' } },
};

let time: VirtualTime;
let items: ItemStore;
let statistics: Statistics;
/** When each answer came, with its error's name. */
let answers: [atMs: number, error: string | undefined][];

beforeEach(() => {
  time = new VirtualTime(0);
  statistics = new Statistics();
  items = new ItemStore(
    createRandom(1),
    () => time.nowMs,
    () => {},
  );
  answers = [];
});

const createTable = (options: { singleWriteDurationMs?: () => number }) =>
  new DynamoDb({
    ...{ items, time, statistics, random: createRandom(1), ...options },
    ...{ throttleRate: 0, bareRefusalShare: 0, durationMs: () => 20 },
    faults: { happens: () => false },
  });
const reply = ({ body }: Answer) => {
  answers.push([time.nowMs, JSON.parse(body).__type]);
};
const readClicks = () => items.get(keyOf(key))?.clicks;

test('a write of one item takes its time, and is there when that is over', async () => {
  const table = createTable({ singleWriteDurationMs: () => 7 });

  table.handle('UpdateItem', increment, reply);
  await time.pass(6);
  const before = readClicks();
  await time.pass(10);

  expect(before).toBeUndefined();
  expect(readClicks()).toEqual({ N: '1' });
  expect(answers).toEqual([[7, undefined]]);
  expect(statistics.totals).toEqual({ 'write units': 1 });
});

test('without a duration, it is there at once and takes no units', () => {
  const table = createTable({});

  table.handle('UpdateItem', increment, reply);

  expect(readClicks()).toEqual({ N: '1' });
  expect(answers).toEqual([[0, undefined]]);
  expect(statistics.totals).toEqual({});
});

test.each([
  ['UpdateItem', increment],
  ['PutItem', { TableName: tableName, Item: key }],
  ['DeleteItem', { TableName: tableName, Key: key }],
])('%s is refused while a transaction has the item', async (operation, input) => {
  const table = createTable({ singleWriteDurationMs: () => 7 });

  table.handle('TransactWriteItems', { TransactItems: [{ Update: increment }] }, reply);
  table.handle(operation, input, reply);
  await time.pass(30);

  expect(answers).toEqual([
    [7, 'TransactionConflictException'],
    [20, undefined],
  ]);
  expect(readClicks()).toEqual({ N: '1' });
  expect(statistics.totals).toEqual({ 'write units': 2 });
});

test('a refusal takes its time too', async () => {
  const table = createTable({ singleWriteDurationMs: () => 7 });
  const input = { ...increment, ConditionExpression: 'attribute_exists(PK)' };

  table.handle('UpdateItem', input, reply);
  await time.pass(30);

  expect(answers).toEqual([[7, 'ConditionalCheckFailedException']]);
  expect(readClicks()).toBeUndefined();
  expect(statistics.totals).toEqual({ 'write units': 1 });
});
