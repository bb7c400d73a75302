import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readRetentionMs } from './queue.ts';
import { findStack } from './stack.ts';
/** Connects to the table and the queues of a stack. Idle connections don't keep a command running. */
export async function connect(options) {
    const stack = await findStack(options);
    // Otherwise the SDK would ignore AWS_ENDPOINT_URL and use the host of the queue's URL.
    const sqs = new SQSClient({ ...stack.clientConfig.sqs, useQueueUrlAsEndpoint: false });
    return {
        stackName: stack.name,
        table: connectTable(stack),
        clickQueue: { sqs, url: stack.output('ClickQueueUrl') },
        clickDlq: { sqs, url: stack.output('ClickDlqUrl') },
        clickRuleDlq: { sqs, url: stack.output('ClickRuleDlqUrl') },
    };
}
/** Reads how long ClickQueue and ClickDLQ keep a message. */
export async function readRetention({ clickQueue, clickDlq }) {
    return {
        queueRetentionMs: await readRetentionMs(clickQueue),
        deadLetterRetentionMs: await readRetentionMs(clickDlq),
    };
}
/** Connects to the table alone, for commands that don't need the queues. */
export function connectTable({ clientConfig, output }) {
    const baseClient = new DynamoDBClient(clientConfig.dynamodb);
    const client = DynamoDBDocumentClient.from(baseClient);
    return { baseClient, client, tableName: output('TableName') };
}
