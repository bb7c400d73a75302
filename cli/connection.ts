import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { findStack, type StackOptions } from './stack.ts';

/** ClickTable, and the client to reach it. */
export interface ClickTable {
  dynamodb: DynamoDBDocumentClient;
  name: string;
}

/** A queue, and the client to reach it. */
export interface Queue {
  sqs: SQSClient;
  url: string;
}

export interface Connection {
  /** For people. */
  stackName: string;
  table: ClickTable;
  clickQueue: Queue;
  clickDlq: Queue;
}

/** Gives `work` the table and the queues of a stack, and closes the connections afterwards. */
export async function withConnection<T>(
  options: StackOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const stack = await findStack(options);
  // Otherwise AWS_ENDPOINT_URL would not hold for a queue whose URL names another host.
  const sqs = new SQSClient({ ...stack.clientConfig.sqs, useQueueUrlAsEndpoint: false });
  const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient(stack.clientConfig.dynamodb));
  try {
    return await work({
      stackName: stack.name,
      table: { dynamodb, name: stack.output('TableName') },
      clickQueue: { sqs, url: stack.output('ClickQueueUrl') },
      clickDlq: { sqs, url: stack.output('ClickDlqUrl') },
    });
  } finally {
    sqs.destroy();
    dynamodb.destroy();
  }
}
