import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Engine } from '../../../local/engines/dynamodb.ts';
import {
  addClicks,
  type CaseTable,
  linkKey,
  makeMarkers,
  markerKey,
  number,
  outcomeOf,
  putLongKey,
  putMarker,
  read,
  readClicks,
  replaceMarker,
  store,
  string,
  token,
  transact,
} from './actions.ts';

/** One thing that DynamoDB does, as its documentation says. */
export interface Case {
  name: string;
  act: (table: CaseTable) => Promise<unknown>;
  expected: unknown;
  /** Engines that do something else, what they do, and why that may be. */
  disagreements?: Partial<Record<Engine, { does: unknown; because: string }>>;
}

const existing = ['ConditionalCheckFailed', number(2_000_000_000)];

export const cases: Case[] = [
  {
    name: 'a marker and an increment are committed together',
    act: async (table) => {
      await store(table, { ...linkKey(table), clicks: number(1) });
      const result = await transact(table, [putMarker(table, 'a'), addClicks(table, 2)]);
      return [result, await readClicks(table), (await read(table, markerKey(table, 'a')))?.ttl];
    },
    expected: ['committed', '3', number(2_000_000_000)],
  },
  {
    name: 'an ADD makes an attribute that is not there',
    act: async (table) => {
      await store(table, linkKey(table));
      return [await transact(table, [addClicks(table, 2)]), await readClicks(table)];
    },
    expected: ['committed', '2'],
  },
  {
    name: 'a marker that exists cancels all, with the item that is there',
    act: async (table) => {
      await store(table, { ...linkKey(table), clicks: number(1) });
      await transact(table, [putMarker(table, 'b')]);
      const items = [putMarker(table, 'a'), putMarker(table, 'b'), addClicks(table, 2)];
      const result = await transact(table, items);
      return [result, await readClicks(table), await read(table, markerKey(table, 'a'))];
    },
    expected: [['None', existing, 'None'], '1', undefined],
  },
  {
    name: 'without ALL_OLD the item is not returned',
    act: async (table) => {
      await transact(table, [putMarker(table, 'a')]);
      return transact(table, [putMarker(table, 'a', 'NONE')]);
    },
    expected: ['ConditionalCheckFailed'],
  },
  {
    name: 'every failed condition is reported at its own position',
    act: async (table) => {
      await transact(table, [putMarker(table, 'a')]);
      return transact(table, [putMarker(table, 'a'), putMarker(table, 'b'), addClicks(table, 1)]);
    },
    expected: [existing, 'None', 'ConditionalCheckFailed'],
  },
  {
    name: 'a failed condition creates nothing',
    act: async (table) => {
      await transact(table, [addClicks(table, 1)]);
      return read(table, linkKey(table));
    },
    expected: undefined,
  },
  {
    name: 'an ADD to text is a reason of its own',
    act: async (table) => {
      await store(table, { ...linkKey(table), clicks: string('many') });
      return transact(table, [putMarker(table, 'a'), addClicks(table, 1)]);
    },
    expected: ['None', 'ValidationError'],
    disagreements: {
      'dynamodb-local': {
        does: 'ValidationException',
        because: 'it checks the operand as it checks the request, before it has a transaction',
      },
    },
  },
  {
    name: 'an expired marker is replaced where the condition allows it',
    act: async (table) => {
      await store(table, { ...markerKey(table, 'a'), ttl: number(1_700_000_000) });
      const result = await transact(table, [replaceMarker(table, 'a', 1_800_000_000)]);
      return [result, (await read(table, markerKey(table, 'a')))?.ttl];
    },
    expected: ['committed', number(2_000_000_000)],
  },
  {
    name: 'a marker that is alive is not replaced',
    act: async (table) => {
      await transact(table, [putMarker(table, 'a')]);
      return transact(table, [replaceMarker(table, 'a', 1_800_000_000)]);
    },
    expected: [existing],
  },
  {
    name: 'a comparison with an attribute that is not there is false',
    act: async (table) => {
      await store(table, markerKey(table, 'a'));
      return transact(table, [replaceMarker(table, 'a', 1_800_000_000)]);
    },
    expected: [['ConditionalCheckFailed', undefined]],
  },
  {
    name: 'two actions on one item are refused',
    act: (table) => transact(table, [putMarker(table, 'a'), putMarker(table, 'a')]),
    expected: 'ValidationException',
    disagreements: {
      'dynamodb-local': {
        does: ['None', existing],
        because: 'it performs the actions one after another and does not compare their keys',
      },
    },
  },
  {
    name: '100 actions are allowed',
    act: (table) => transact(table, makeMarkers(table, 100)),
    expected: 'committed',
  },
  {
    name: '101 actions are refused',
    act: (table) => transact(table, makeMarkers(table, 101)),
    expected: 'ValidationException',
  },
  {
    name: 'a transaction without actions is refused',
    act: (table) => transact(table, []),
    expected: 'ValidationException',
  },
  {
    name: 'a token that is sent again has no second effect',
    act: async (table) => {
      await store(table, { ...linkKey(table), clicks: number(1) });
      const items = [addClicks(table, 1)];
      const first = await transact(table, items, token(table));
      return [first, await transact(table, items, token(table)), await readClicks(table)];
    },
    expected: ['committed', 'committed', '2'],
  },
  {
    name: 'a token that is sent again with other parameters is refused',
    act: async (table) => {
      await store(table, { ...linkKey(table), clicks: number(1) });
      await transact(table, [addClicks(table, 1)], token(table));
      return [await transact(table, [addClicks(table, 2)], token(table)), await readClicks(table)];
    },
    expected: ['IdempotentParameterMismatchException', '2'],
  },
  {
    name: 'a token whose transaction was cancelled is as good as new',
    act: async (table) => {
      const items = [addClicks(table, 1)];
      const cancelled = await transact(table, items, token(table));
      await store(table, { ...linkKey(table), clicks: number(1) });
      return [cancelled, await transact(table, items, token(table)), await readClicks(table)];
    },
    expected: [['ConditionalCheckFailed'], 'committed', '2'],
  },
  {
    name: 'an empty key is refused',
    act: (table) => transact(table, [addClicks(table, 1, { PK: string(''), SK: string('META') })]),
    expected: 'ValidationException',
  },
  {
    name: 'a partition key of 2,048 bytes is allowed',
    act: (table) => transact(table, [putLongKey(table, 2_048)]),
    expected: 'committed',
  },
  {
    name: 'a partition key of 2,049 bytes is a reason of its own',
    act: (table) => transact(table, [putLongKey(table, 2_049)]),
    expected: ['ValidationError'],
  },
  {
    name: 'an item over 400 KB is refused',
    act: (table) => {
      const { Put } = putMarker(table, 'a');
      const Item = { ...Put.Item, text: string('x'.repeat(410 * 1024)) };
      return transact(table, [{ Put: { ...Put, Item } }]);
    },
    expected: 'ValidationException',
  },
  {
    name: 'of two puts of one link the second fails',
    act: async (table) => {
      const put = () => {
        const { client, tableName: TableName } = table;
        const ConditionExpression = 'attribute_not_exists(PK)';
        const Item = linkKey(table);
        return outcomeOf(client.send(new PutItemCommand({ TableName, Item, ConditionExpression })));
      };
      return [await put(), await put()];
    },
    expected: ['done', 'ConditionalCheckFailedException'],
  },
  {
    name: 'a query gives the days of one link in a range, ascending',
    act: async (table) => {
      const { PK } = linkKey(table);
      for (const day of ['05-03', '05-01', '05-02', '06-01']) {
        await store(table, { PK, SK: string(`STAT#2026-${day}`) });
      }
      await store(table, { PK, SK: string('META') });
      await store(table, { PK: string(`${table.prefix}#other`), SK: string('STAT#2026-05-02') });
      const { Items = [] } = await table.client.send(
        new QueryCommand({
          TableName: table.tableName,
          ConsistentRead: true,
          KeyConditionExpression: 'PK = :link AND SK BETWEEN :first AND :last',
          ExpressionAttributeValues: {
            ':link': PK,
            ':first': string('STAT#2026-05-01'),
            ':last': string('STAT#2026-05-31'),
          },
        }),
      );
      return Items.map(({ SK }) => SK?.S);
    },
    expected: ['STAT#2026-05-01', 'STAT#2026-05-02', 'STAT#2026-05-03'],
  },
];
