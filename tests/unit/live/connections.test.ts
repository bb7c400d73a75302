import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from 'vitest';
import type { TableAccess } from '../../../lib/dynamodb/table-access.ts';
import {
  openConnection,
  removeConnection,
  touchConnection,
} from '../../../lib/live/connections.ts';
import { findWatchers } from '../../../lib/live/watches.ts';
import { answerJson } from '../../helpers/scripted-service.ts';
import { refuse, startScriptedTable } from '../../helpers/scripted-table.ts';

const now = 1_800_000_000;
const connection = {
  ...{ PK: 'CONNECTION#one', SK: 'CONNECTION', owner: 'ada', ttl: now + 3_600 },
  ...{ minute: 30_000_000, messages: 1, codes: new Set(['docs']) },
};

const newConnection = { id: 'one', owner: 'ada', expiresAt: now + 60, connectionsPerUser: 10 };

/** DynamoDB's answer while another transaction writes to the same connection. */
const conflict = refuse('TransactionConflictException');
const stored = answerJson(200, { Attributes: marshall(connection) });
const done = answerJson(200, { Attributes: {} });

const keysOf = (bodies: unknown[]) => bodies.map((body) => (body as { Key: object }).Key);

describe('a message', () => {
  test('is counted even while another message of its connection is in progress', async () => {
    const { access, bodies } = await startScriptedTable(conflict, conflict, stored);

    expect(await touchConnection(access, 'one', now)).toEqual(connection);
    expect(bodies).toHaveLength(3);
  });

  test('that loses to concurrent messages five times is an error', async () => {
    const others = refuse('ConditionalCheckFailedException', { Item: marshall(connection) });
    const { access, bodies } = await startScriptedTable(...Array(5).fill(others), stored);

    await expect(touchConnection(access, 'one', now)).rejects.toThrow(
      'expected to count a message within 5 attempts; concurrent updates conflicted',
    );
    expect(bodies).toHaveLength(5);
  });
});

describe('a connection', () => {
  test('is removed even while its last message is in progress', async () => {
    const { access, bodies } = await startScriptedTable(conflict, stored, conflict, done, done);

    await removeConnection(access, 'one');

    expect(keysOf(bodies)).toEqual([
      marshall({ PK: 'CONNECTION#one', SK: 'CONNECTION' }),
      marshall({ PK: 'CONNECTION#one', SK: 'CONNECTION' }),
      marshall({ PK: 'WATCH#docs', SK: 'CONNECTION#one' }),
      marshall({ PK: 'WATCH#docs', SK: 'CONNECTION#one' }),
      marshall({ PK: 'CONNECTIONS#ada', SK: 'CONNECTIONS' }),
    ]);
  });
});

test.each<[string, (access: TableAccess) => Promise<unknown>]>([
  ['opening a connection', (access) => openConnection(access, newConnection, now)],
  ['counting a message', (access) => touchConnection(access, 'one', now)],
  ['removing a connection', (access) => removeConnection(access, 'one')],
  ['finding watchers', (access) => findWatchers(access, 'docs', 10)],
])('%s sends nothing once it is aborted', async (_, request) => {
  const { access, bodies } = await startScriptedTable(done);

  await expect(request({ ...access, abortSignal: AbortSignal.abort() })).rejects.toThrow('aborted');
  expect(bodies).toEqual([]);
});
