import { DeleteMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { type DeadLetter, walkDeadLetters } from '../../cli/dlq/dead-letters.ts';
import { connectTarget, type Target } from './target.ts';

/**
 * Deletes the links, days, markers and dead letters of a run, and counts them. The service chose
 * the click ids of the visits, so this scans the whole table to find their markers.
 */
export async function cleanUp(target: Target): Promise<{ items: number; deadLetters: number }> {
  const { dynamodb, sqs, events } = connectTarget(target);
  try {
    return {
      items: await deleteItems(DynamoDBDocumentClient.from(dynamodb), target),
      deadLetters: (await takeDeadLetters(sqs, target)).length,
    };
  } finally {
    for (const client of [dynamodb, sqs, events]) client.destroy();
  }
}

async function deleteItems(
  client: DynamoDBDocumentClient,
  { outputs: { TableName }, runId }: Target,
): Promise<number> {
  const pages = paginateScan(
    { client },
    {
      TableName,
      ConsistentRead: true,
      ProjectionExpression: 'PK, SK',
      FilterExpression: 'begins_with(PK, :link) OR begins_with(#code, :run)',
      ExpressionAttributeNames: { '#code': 'code' },
      ExpressionAttributeValues: { ':link': `LINK#${runId}`, ':run': runId },
    },
  );
  let deleted = 0;
  for await (const { Items = [] } of pages) {
    await Promise.all(
      Items.map(({ PK, SK }) => client.send(new DeleteCommand({ TableName, Key: { PK, SK } }))),
    );
    deleted += Items.length;
  }
  return deleted;
}

/** Deletes only the dead letters of a run, and returns their bodies. */
export async function takeDeadLetters(sqs: SQSClient, target: Target): Promise<string[]> {
  const url = target.outputs.ClickDlqUrl;
  const taken: string[] = [];
  const visit = async ({ body, receiptHandle }: DeadLetter) => {
    if (!body.includes(target.runId)) return 'stays';
    await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: receiptHandle }));
    taken.push(body);
    return 'gone';
  };
  await walkDeadLetters({ sqs, url }, visit, { signal: new AbortController().signal });
  return taken;
}
