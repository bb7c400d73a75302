import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableAccess } from '../lib/dynamodb/table.ts';
import type { Queue } from './queue.ts';
import { findStack, type StackOptions } from './stack.ts';

export interface Connection {
  stackName: string;
  table: TableAccess;
  clickQueue: Queue;
  clickDlq: Queue;
  clickRuleDlq: Queue;
}

/** Runs `work` with the table and the queues of a stack, then closes the connections. */
export async function withConnection<T>(
  options: StackOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const stack = await findStack(options);
  // Otherwise the SDK would ignore AWS_ENDPOINT_URL and use the host of the queue's URL.
  const sqs = new SQSClient({ ...stack.clientConfig.sqs, useQueueUrlAsEndpoint: false });
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(stack.clientConfig.dynamodb));
  try {
    return await work({
      stackName: stack.name,
      table: { client, tableName: stack.output('TableName') },
      clickQueue: { sqs, url: stack.output('ClickQueueUrl') },
      clickDlq: { sqs, url: stack.output('ClickDlqUrl') },
      clickRuleDlq: { sqs, url: stack.output('ClickRuleDlqUrl') },
    });
  } finally {
    sqs.destroy();
    client.destroy();
  }
}
