// Origin: https://tech-holder.blogspot.com/2026/04/how-to-implement-exactly-once.html, and many like it.
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readClick } from '../../../lib/hand-rolled/read-click.ts';
import type { CreateHandler } from '../approach.ts';
import { handleEach } from '../batch.ts';

const ttlSeconds = 24 * 60 * 60;

/** Claims the SQS message's id, then does the work. */
export const createHandler: CreateHandler =
  ({ client, tableName, work }) =>
  (event) =>
    handleEach(event, async ({ messageId, body }) => {
      const click = readClick(body);
      try {
        const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: marshall({ PK: `MESSAGE#${messageId}`, SK: 'MESSAGE', ttl }),
            ConditionExpression: 'attribute_not_exists(PK)',
          }),
        );
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return;
        throw error;
      }
      await work(click, messageId);
    });
