// Origin: https://qasimalbaqali.medium.com/achieving-idempotency-in-the-aws-serverless-space-d0671a521479
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { readClick } from '../../../lib/hand-rolled/read-click.ts';
import type { CreateHandler } from '../approach.ts';
import { handleEach } from '../batch.ts';

/** Writes one document per click, behind an SNS FIFO topic and queue. A count is a query. */
export const createHandler: CreateHandler =
  ({ client, tableName }) =>
  (event) =>
    handleEach(event, async ({ body }) => {
      const { clickId, code, day } = readClick(body);
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: marshall({ PK: `LINK#${code}`, SK: `CLICK#${clickId}`, day }),
            ConditionExpression: 'attribute_not_exists(PK)',
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    });
