import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { createPush } from '../../../lib/live/push.ts';
import { answerJson } from '../../helpers/scripted-service.ts';
import { startScriptedTable } from '../../helpers/scripted-table.ts';

test('removing a closed connection takes a write for itself, each watch and its slot', async () => {
  const watch = { PK: 'WATCH#docs', SK: 'CONNECTION#one', owner: 'ada', ttl: 1_800_000_000 };
  const done = answerJson(200, { Attributes: {} });
  const { access, bodies } = await startScriptedTable(
    ...[answerJson(200, { Items: [marshall(watch)] }), done, done, done],
  );

  const push = createPush({
    table: access,
    connections: { send: async () => 'gone', close: async () => {} },
    clock: { now: () => 0, wait: async () => {} },
  });
  await push(new Map([['docs', { code: 'docs', clicks: 1, days: [] }]]));

  expect(bodies.slice(1)).toMatchObject([
    { Key: marshall({ PK: 'CONNECTION#one', SK: 'CONNECTION' }) },
    { Key: marshall({ PK: 'WATCH#docs', SK: 'CONNECTION#one' }) },
    { Key: marshall({ PK: 'CONNECTIONS#ada', SK: 'CONNECTIONS' }) },
  ]);
});
