import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { useTable } from '../../../../tests/helpers/test-table.ts';
import { createModelClient } from './model-client.ts';

type Items = NonNullable<TransactWriteCommandInput['TransactItems']>;
type Attributes = Record<string, unknown>;

const engine = inject('engine');
const table = useTable();
const nowSeconds = 1_800_000_000;
const expired = nowSeconds - 1;

/** Requests to one of both tables. The items' keys have a prefix that no other case has. */
function createActions(client: DynamoDBClient, TableName: string, prefix: string) {
  const documents = DynamoDBDocumentClient.from(client);
  const keyOf = (name: string) => ({ PK: `${prefix}#${name}`, SK: 'X' });
  const ReturnValuesOnConditionCheckFailure = 'ALL_OLD' as const;
  const actions = {
    /** A marker, which must not exist or have expired. */
    marker: (name: string, attributes: Attributes = {}) => ({
      Put: {
        ...{ TableName, Item: { ...keyOf(name), ...attributes } },
        ...{ ConditionExpression: 'attribute_not_exists(PK) OR #ttl < :now' },
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': nowSeconds },
        ReturnValuesOnConditionCheckFailure,
      },
    }),
    /** Adds one click to an item, but for these changes. */
    update: (name: string, changes: Partial<UpdateCommandInput> = {}) => ({
      Update: {
        ...{ TableName, Key: keyOf(name), UpdateExpression: 'ADD clicks :one' },
        ...{ ExpressionAttributeValues: { ':one': 1 }, ...changes },
      },
    }),
    /** Sets slots of a sheet, if they are free and its ttl doesn't move back. */
    slots: (name: string, slots: readonly string[], ttl: number) => {
      const areFree = slots.map((slot) => `attribute_not_exists(${slot}) AND `).join('');
      const values = slots.map((slot) => [`:${slot}`, Buffer.from(slot)]);
      return actions.update(name, {
        UpdateExpression: `SET ${slots.map((slot) => `${slot} = :${slot}, `).join('')}#ttl = :ttl`,
        ConditionExpression: `${areFree}(attribute_not_exists(#ttl) OR #ttl <= :ttl)`,
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ...Object.fromEntries(values), ':ttl': ttl },
        ReturnValuesOnConditionCheckFailure,
      });
    },
    /** Counts values that a set of at most two has room for. All but the first may be new. */
    values: (name: string, [first = '', ...others]: readonly string[]) => {
      const areMembers = others.map((value) => `contains(#set, :${value})`);
      const isFree = ['attribute_not_exists(#set)', ...areMembers].join(' OR ');
      return actions.update(name, {
        UpdateExpression: 'ADD clicks :one, #set :values',
        ConditionExpression: `contains(#set, :${first}) OR size(#set) < :two OR ${isFree}`,
        ExpressionAttributeNames: { '#set': 'S' },
        ExpressionAttributeValues: {
          ...Object.fromEntries([first, ...others].map((value) => [`:${value}`, value])),
          ...{ ':one': 1, ':two': 2, ':values': new Set([first, ...others]) },
        },
        ReturnValuesOnConditionCheckFailure,
      });
    },
    put: (name: string, attributes: Attributes = {}) => ({
      Put: { TableName, Item: { ...keyOf(name), ...attributes } },
    }),
    /** The consumed capacity, the reasons of a cancellation by position, or the error's name. */
    transact: async (TransactItems: Items, token?: string) => {
      const ClientRequestToken = token && `${prefix}-${token}`;
      const input = { TransactItems, ClientRequestToken, ReturnConsumedCapacity: 'TOTAL' } as const;
      try {
        const { ConsumedCapacity = [] } = await documents.send(new TransactWriteCommand(input));
        return ConsumedCapacity.map(({ TableName: _table, ...units }) => units);
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) return (error as Error).name;
        return error.CancellationReasons?.map(({ Code, Item }) =>
          Item ? [Code, unmarshall(Item).ttl] : Code,
        );
      }
    },
    /** The existing items among these. */
    read: async (names: readonly string[]) => {
      const request = { Keys: names.map(keyOf), ConsistentRead: true };
      const command = new BatchGetCommand({ RequestItems: { [TableName]: request } });
      const { Responses = {}, UnprocessedKeys } = await documents.send(command);
      const items = Responses[TableName] ?? [];
      return [items.toSorted((a, b) => a.PK.localeCompare(b.PK)), UnprocessedKeys];
    },
  };
  return actions;
}

type Actions = ReturnType<typeof createActions>;
type Result = Awaited<ReturnType<Actions['transact']>>;

/** Acts on both tables, and returns the model's result and the engine's. */
let cases = 0;
async function actOnBoth<T>(act: (actions: Actions) => Promise<T>): Promise<[T, T]> {
  const prefix = `case-${cases++}`;
  const { client, tableName } = table;
  return [
    await act(createActions(createModelClient(), tableName, prefix)),
    await act(createActions(client, tableName, prefix)),
  ];
}

const names = ['a', 'b', 'c', 'd'];
const ttls = fc.constantFrom(expired, nowSeconds, nowSeconds + 1);
/** What the service's transactions consist of. */
const actionOf = (name: string): fc.Arbitrary<(actions: Actions) => Items[number]> =>
  fc.oneof(
    ttls.map(
      (ttl) =>
        ({ marker }: Actions) =>
          marker(name, { ttl }),
    ),
    fc.constant(({ marker }: Actions) => marker(name)),
    fc.constantFrom(0, 1_500, 3_000).map((bytes) => ({ put }: Actions) => {
      return put(name, { ttl: nowSeconds, text: 'x'.repeat(bytes) });
    }),
    fc.constant(({ update }: Actions) => update(name)),
    fc.constant(({ update }: Actions) => {
      return update(name, { ConditionExpression: 'attribute_exists(PK)' });
    }),
    fc.tuple(fc.subarray(['a0', 'a1', 'm7'], { minLength: 1 }), ttls).map(
      ([some, ttl]) =>
        ({ slots }: Actions) =>
          slots(name, some, ttl),
    ),
    fc.subarray(['s1', 's2', 's3', 's4'], { minLength: 1 }).map(
      (some) =>
        ({ values }: Actions) =>
          values(name, some),
    ),
  );
const transaction = fc.record({
  // DynamoDB Local also permits two actions on one item.
  actions: fc.subarray(names, { minLength: 1 }).chain((some) => fc.tuple(...some.map(actionOf))),
  token: fc.option(fc.constantFrom('first', 'second'), { nil: undefined }),
});

test(`a history of transactions has the same results in the model and in ${engine}`, async () => {
  const history = fc.array(transaction, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(history, async (transactions) => {
      const [model, real] = await actOnBoth(async (actions) => {
        const results = [];
        // A request with a token is sent again at once.
        const requests = transactions.flatMap((one) => (one.token ? [one, one] : [one]));
        for (const { actions: made, token } of requests) {
          const result = await actions.transact(
            made.map((make) => make(actions)),
            token,
          );
          results.push(engine === 'dynamodb-local' ? hideUnits(result) : result);
        }
        return [results, await actions.read(names)];
      });

      expect(real).toEqual(model);
    }),
    { numRuns: 150, seed: 1 },
  );
});

// DynamoDB Local doesn't distinguish writes from reads, and reports no units for a new item.
function hideUnits(result: Result) {
  return result?.[0] instanceof Object && 'CapacityUnits' in result[0] ? 'committed' : result;
}
