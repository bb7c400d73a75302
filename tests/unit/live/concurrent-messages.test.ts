import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import type { TableAccess } from '../../../lib/dynamodb/table.ts';
import { answerMessage } from '../../../lib/live/answer-message.ts';
import {
  openConnection,
  removeConnection,
  touchConnection,
} from '../../../lib/live/connections.ts';
import { findWatchers, watchLinks } from '../../../lib/live/watches.ts';
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

test('watchers are read consistently, so a new watch is found at once', async () => {
  const watch = { PK: 'WATCH#docs', SK: 'CONNECTION#one', owner: 'ada', ttl: now };
  const { access, bodies } = await startScriptedTable(
    answerJson(200, { Items: [marshall(watch)] }),
  );

  const watchers = await findWatchers(access, 'docs');

  expect(watchers).toEqual([{ connectionId: 'one', owner: 'ada', ttl: now }]);
  expect(bodies).toMatchObject([{ ConsistentRead: true }]);
});

const newConnection = { id: 'one', owner: 'ada', expiresAt: now + 60, connectionsPerUser: 10 };

test.each<[string, (access: TableAccess) => Promise<unknown>]>([
  ['opening a connection', (access) => openConnection(access, newConnection, now)],
  ['counting a message', (access) => touchConnection(access, 'one', now)],
  ['removing a connection', (access) => removeConnection(access, 'one')],
  ['finding watchers', (access) => findWatchers(access, 'docs')],
])('%s sends nothing once it is aborted', async (_, request) => {
  const { access, bodies } = await startScriptedTable(done);

  await expect(request({ ...access, abortSignal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(bodies).toEqual([]);
});

const ended = cancel('ConditionalCheckFailed', 'None');
const failed = refuse('ResourceNotFoundException');

test.each([
  ['ends meanwhile is told so and closed', ended, ['error', 'one']],
  ["meets DynamoDB's error does not get it", failed, ['ResourceNotFoundException: refused']],
])('a connection whose message %s', async (_, answer, outcome) => {
  const { access } = await startScriptedTable(stored, found, answer);
  const outcomes: string[] = [];
  const api = {
    send: async (_id: string, { type }: { type: string }) => {
      outcomes.push(type);
      return 'sent' as const;
    },
    close: async (id: string) => void outcomes.push(id),
  };
  const text = '{"action":"watch","codes":["docs"]}';
  const message = { connectionId: 'one', text, now };

  await answerMessage(access, api, message).catch(({ message }) => outcomes.push(message));

  expect(outcomes).toEqual(outcome);
});
