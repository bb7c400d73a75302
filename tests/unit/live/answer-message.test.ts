import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { answerMessage } from '../../../lib/live/answer-message.ts';
import type { ConnectionsApi } from '../../../lib/live/connections-api.ts';
import type { ServerMessage } from '../../../lib/live/messages.ts';
import { link } from '../../helpers/items.ts';
import { answerJson } from '../../helpers/scripted-service.ts';
import { cancel, refuse, startScriptedTable, tableName } from '../../helpers/scripted-table.ts';

const now = 1_800_000_000;
const connection = {
  owner: 'ada',
  ttl: now + 60,
  minute: 30_000_000,
  messages: 1,
};
const counted = answerJson(200, { Attributes: marshall(connection) });
const found = answerJson(200, { Responses: { [tableName]: [marshall(link('docs'))] } });
const received = { connectionId: 'one', text: '{"action":"watch","codes":["docs"]}', now };

/** Accepts every message. */
function makeConnections() {
  const sent: ServerMessage[] = [];
  const closed: string[] = [];
  const api: ConnectionsApi = {
    send: async (_, message) => {
      sent.push(message);
      return 'sent';
    },
    close: async (connectionId) => {
      closed.push(connectionId);
    },
  };
  return { api, sent, closed };
}

test('a connection that ends while its message is processed gets an error and is closed', async () => {
  const { access } = await startScriptedTable(
    ...[counted, found, cancel('ConditionalCheckFailed', 'None')],
  );
  const { api, sent, closed } = makeConnections();

  await answerMessage(access, api, received);

  const message = 'The connection has ended. Reconnect with a valid token.';
  expect(sent).toEqual([{ type: 'error', message }]);
  expect(closed).toEqual(['one']);
});

test("DynamoDB's errors are not sent to the page", async () => {
  const { access } = await startScriptedTable(counted, refuse('ResourceNotFoundException'));
  const { api, sent, closed } = makeConnections();

  await expect(answerMessage(access, api, received)).rejects.toThrow('refused');
  expect([sent, closed]).toEqual([[], []]);
});
