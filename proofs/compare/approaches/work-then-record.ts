// Origin: https://notes.paulswail.com/public/AWS+SQS ("Check DDB … If not present: … Write item").
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readClick } from '../../../hand-rolled/click-transaction.ts';
import { type CreateHandler, handleEach } from '../approach.ts';

const ttlSeconds = 7 * 24 * 60 * 60;

/** Does the work if there is no record of the event, then records the event. */
export const createHandler: CreateHandler =
  ({ client, tableName, work }) =>
  (event) =>
    handleEach(event, async ({ body }) => {
      const click = readClick(body);
      const key = { PK: `EVENT#${click.eventId}`, SK: 'EVENT' };
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key: marshall(key), ConsistentRead: true }),
      );
      if (Item) return;
      await work(click);
      const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
      await client.send(
        new PutItemCommand({ TableName: tableName, Item: marshall({ ...key, ttl }) }),
      );
    });
