import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import { removeConnection, touchConnection } from '../../../lib/live/connections.ts';
import { localClientConfig } from '../../../local/engines/aws.ts';
import { answerInTurn, answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

const now = 1_800_000_000;
const connection = {
  ...{ PK: 'CONNECTION#one', SK: 'CONNECTION', owner: 'ada', ttl: now + 60, endsAt: now + 3_600 },
  ...{ minute: 30_000_000, messages: 1, codes: new Set(['docs']) },
};

/** DynamoDB, while a transaction of the same connection is under way. */
const conflict = answerJson(400, {
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionConflictException',
  message: 'Transaction is ongoing for the item',
});
const stored = answerJson(200, { Attributes: marshall(connection) });

async function startTable(...answers: Parameters<typeof answerInTurn>) {
  const { url, bodies } = await startScriptedService(answerInTurn(...answers));
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClientConfig(url)));
  return { bodies, access: { client, tableName: 'ClickTable' } };
}

test('a message is counted although another message of its connection is under way', async () => {
  const { access, bodies } = await startTable(conflict, conflict, stored);

  expect(await touchConnection(access, 'one', now)).toEqual(connection);
  expect(bodies).toHaveLength(3);
});

test('a connection is removed although its last message is under way', async () => {
  const { access, bodies } = await startTable(conflict, stored, conflict, answerJson(200, {}));

  await removeConnection(access, 'one');

  expect(bodies.map((body) => (body as { Key: object }).Key)).toEqual([
    marshall({ PK: 'CONNECTION#one', SK: 'CONNECTION' }),
    marshall({ PK: 'CONNECTION#one', SK: 'CONNECTION' }),
    marshall({ PK: 'WATCH#docs', SK: 'CONNECTION#one' }),
    marshall({ PK: 'WATCH#docs', SK: 'CONNECTION#one' }),
  ]);
});
