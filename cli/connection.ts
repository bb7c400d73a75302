import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TransactionalTable } from '../lib/dynamodb/table.ts';
import { readRetentionMs } from './queue.ts';
import { findStack, type Stack, type StackOptions } from './stack.ts';

export type Connection = Awaited<ReturnType<typeof connect>>;

/** Connects to the table and the queues of a stack. Idle connections don't keep a command running. */
export async function connect(options: StackOptions) {
  const stack = await findStack(options);
  // Otherwise the SDK would ignore AWS_ENDPOINT_URL and use the host of the queue's URL.
  const sqs = new SQSClient({ ...stack.clientConfig.sqs, useQueueUrlAsEndpoint: false });
  return {
    stack,
    stackName: stack.name,
    table: connectTable(stack),
    clickQueue: { sqs, url: stack.output('ClickQueueUrl') },
    clickDlq: { sqs, url: stack.output('ClickDlqUrl') },
    clickRuleDlq: { sqs, url: stack.output('ClickRuleDlqUrl') },
  };
}

/**
 * Connects to the table and the queue in the standby's Region.
 * @throws {CommandError} if the stack doesn't have a standby.
 */
export function connectStandby({ standbyConfig, output }: Stack) {
  const { dynamodb, sqs: sqsConfig } = standbyConfig();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(dynamodb));
  const sqs = new SQSClient({ ...sqsConfig, useQueueUrlAsEndpoint: false });
  return {
    table: { client, tableName: output('StandbyTableName') },
    dlq: { sqs, url: output('StandbyDlqUrl') },
  };
}

export type Retention = Awaited<ReturnType<typeof readRetention>>;

/** Reads how long ClickQueue and ClickDLQ keep a message. */
export async function readRetention({ clickQueue, clickDlq }: Connection) {
  return {
    queueRetentionMs: await readRetentionMs(clickQueue),
    deadLetterRetentionMs: await readRetentionMs(clickDlq),
  };
}

/** Connects to the table alone, for commands that don't need the queues. */
export function connectTable({ clientConfig, output }: Stack): TransactionalTable {
  const baseClient = new DynamoDBClient(clientConfig.dynamodb);
  const client = DynamoDBDocumentClient.from(baseClient);
  return { baseClient, client, tableName: output('TableName') };
}
