// Origin: https://techlama.blog/posts/idempotent-event-systems.html
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readClick } from '../../../lib/hand-rolled/read-click.ts';
import type { CreateHandler } from '../approach.ts';
import { handleEach } from '../batch.ts';

const ttlSeconds = 7 * 24 * 60 * 60;

/** Claims the business event's id, then does the work. */
export const createHandler: CreateHandler =
  ({ client, tableName, work }) =>
  (event) =>
    handleEach(event, async ({ body }) => {
      const click = readClick(body);
      try {
        const ttl = Math.floor(Date.now() / 1000) + ttlSeconds;
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: marshall({ PK: `EVENT#${click.eventId}`, SK: 'EVENT', ttl }),
            ConditionExpression: 'attribute_not_exists(PK)',
          }),
        );
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return;
        throw error;
      }
      await work(click, click.eventId);
    });
