import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { removeConnection, touchConnection } from '../../../lib/live/connections.ts';
import { watchLinks } from '../../../lib/live/watches.ts';
import { link } from '../../helpers/items.ts';
import { answerJson } from '../../helpers/scripted-service.ts';
import { cancel, refuse, startScriptedTable, tableName } from '../../helpers/scripted-table.ts';

// Local engines never answer with a conflict.
const now = 1_800_000_000;
const connection = { owner: 'ada', ttl: now + 3_600, minute: 30_000_000, messages: 1 };
const watching = { ...connection, codes: new Set(['docs']) };
const conflict = refuse('TransactionConflictException');
const stored = answerJson(200, { Attributes: marshall(watching) });
const done = answerJson(200, { Attributes: {} });
const found = answerJson(200, { Responses: { [tableName]: [marshall(link('docs', 3))] } });

test('a message is counted even while others of its connection are in progress, up to five times', async () => {
  const others = refuse('ConditionalCheckFailedException', { Item: marshall(watching) });
  const some = await startScriptedTable(conflict, conflict, stored);
  const many = await startScriptedTable(...Array(5).fill(others), stored);

  expect(await touchConnection(some.access, 'one', now)).toEqual(watching);
  await expect(touchConnection(many.access, 'one', now)).rejects.toThrow(
    'expected to count a message within 5 attempts; concurrent updates conflicted',
  );
  expect([some.bodies.length, many.bodies.length]).toEqual([3, 5]);
});

test('a connection is removed even while its last message is in progress', async () => {
  const { access, bodies } = await startScriptedTable(conflict, stored, conflict, done, done);

  await removeConnection(access, 'one');

  const own = { PK: 'CONNECTION#one', SK: 'CONNECTION' };
  const watch = { PK: 'WATCH#docs', SK: 'CONNECTION#one' };
  const slot = { PK: 'CONNECTIONS#ada', SK: 'CONNECTIONS' };
  const keys = [own, own, watch, watch, slot].map((key) => ({ Key: marshall(key) }));
  expect(bodies).toMatchObject(keys);
});

test('links are watched even while another message of the connection is in progress', async () => {
  const proof = { ConsumedCapacity: [{ TableName: tableName, CapacityUnits: 4 }] };
  const busy = cancel('TransactionConflict', 'None');
  const { access, bodies } = await startScriptedTable(
    ...[found, busy, busy, answerJson(200, proof), found],
  );

  const answer = await watchLinks(access, { id: 'one', connection, codes: ['docs'] });

  expect(answer).toMatchObject({ links: [{ code: 'docs', clicks: 3 }], refused: [] });
  expect(bodies).toHaveLength(5);
});
