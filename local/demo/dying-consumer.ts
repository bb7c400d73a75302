// Runs aggregate-clicks in a process of its own, which kills itself before or after its first commit. SQS
// never hears of it.

import type { Context } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { createHandler } from '../../functions/aggregate-clicks.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { toSqsEvent } from '../engines/sqs-event.ts';

/** What the process gets as its argument, in JSON. */
export interface Job {
  /** Of DynamoDB. */
  endpoint: string;
  moment: 'before' | 'after';
  bodies: string[];
}

const { endpoint, moment, bodies }: Job = JSON.parse(process.argv[2] ?? '{}');
const timeoutMs = 30_000;
const client = createCommitClient(localClientConfig(endpoint));
client.middlewareStack.add(
  (next) => async (args) => {
    if (moment === 'after') await next(args);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
  { step: 'deserialize', priority: 'low' },
);

const attributes = { ApproximateReceiveCount: '1' };
const messages = bodies.map((Body, index) => ({
  MessageId: `message-${index}`,
  Body,
  Attributes: attributes,
}));
const context: Partial<Context> = { getRemainingTimeInMillis: () => timeoutMs };
await createHandler(client)(toSqsEvent(messages, 'ClickQueue'), context as Context);
