import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { findWatchers, watchLinks } from '../../../lib/live/watches.ts';
import { link } from '../../helpers/items.ts';
import { answerJson } from '../../helpers/scripted-service.ts';
import { cancel, startScriptedTable, tableName } from '../../helpers/scripted-table.ts';

const end = 1_800_000_000;
const connection = { owner: 'ada', ttl: end, minute: 30_000_000, messages: 1 };

test('links are watched even while another message of the connection is in progress', async () => {
  const found = answerJson(200, { Responses: { [tableName]: [marshall(link('docs', 3))] } });
  const conflict = cancel('TransactionConflict', 'None');
  const proof = { ConsumedCapacity: [{ TableName: tableName, CapacityUnits: 4 }] };
  const { access, bodies } = await startScriptedTable(
    ...[found, conflict, conflict, answerJson(200, proof), found],
  );

  const answer = await watchLinks(access, { id: 'one', connection, codes: ['docs'] });

  expect(answer).toEqual({
    type: 'watching',
    links: [{ code: 'docs', clicks: 3, people: 0, bots: 0 }],
    refused: [],
  });
  expect(bodies).toHaveLength(5);
});

test('watchers are read consistently, so a new watch is found at once', async () => {
  const watch = { PK: 'WATCH#docs', SK: 'CONNECTION#one', owner: 'ada', ttl: end };
  const { access, bodies } = await startScriptedTable(
    answerJson(200, { Items: [marshall(watch)] }),
  );

  const watchers = await findWatchers(access, 'docs', 10);

  expect(watchers).toEqual([{ connectionId: 'one', owner: 'ada', ttl: end }]);
  // A local engine always reads consistently.
  expect(bodies).toMatchObject([{ ConsistentRead: true }]);
});
