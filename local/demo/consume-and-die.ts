import path from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig, localEnvironment } from '../../cli/local-aws.ts';
import { readAttributes } from '../../cli/queue.ts';
import type { StackOutputs } from '../../cli/terminal/running-stack.ts';
import { startChild } from '../engines/child-process.ts';
import type { Job } from './dying-consumer.ts';

/** The exit code that a shell gives a program that was killed by SIGKILL. */
export const killed = 137;
const consumer = path.join(import.meta.dirname, 'dying-consumer.ts');

/** Counts a message in a process that is killed after the commit. Returns its exit code. */
export async function consumeAndDie(outputs: StackOutputs, body: string): Promise<number | null> {
  const sqs = new SQSClient(localClientConfig(outputs.sqsEndpoint));
  const queue = await readAttributes({ sqs, url: outputs.clickQueueUrl });
  const deadLetters = await readAttributes({ sqs, url: outputs.clickDlqUrl });
  const env = {
    ...localEnvironment(),
    STAGE: 'local',
    TABLE_NAME: outputs.tableName,
    CLICK_DLQ_URL: outputs.clickDlqUrl,
    MAX_RECEIVE_COUNT: `${JSON.parse(queue.RedrivePolicy ?? '{}').maxReceiveCount}`,
    QUEUE_RETENTION_SECONDS: queue.MessageRetentionPeriod,
    DEAD_LETTER_RETENTION_SECONDS: deadLetters.MessageRetentionPeriod,
    // The most that a rule tries, which is a day.
    BUS_RETRY_SECONDS: '86400',
  };
  const job: Job = { endpoint: outputs.dynamodbEndpoint, moment: 'after', bodies: [body] };
  const child = startChild(process.execPath, [consumer, JSON.stringify(job)], { env });
  return await child.exited;
}
