// Counts one message as aggregate-clicks does, in a process of its own that is killed right after the
// commit, before SQS could hear of it.

import type { Context } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { localClientConfig } from '../../cli/local-aws.ts';
import { createHandler } from '../../functions/aggregate-clicks.ts';
import { toSqsEvent } from '../engines/sqs-event.ts';

const [endpoint = '', body = ''] = process.argv.slice(2);
const timeoutMs = 30_000;
const client = createCommitClient(localClientConfig(endpoint));
client.middlewareStack.add(
  (next) => async (args) => {
    await next(args);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
  { step: 'deserialize', priority: 'low' },
);

const attributes = { ApproximateReceiveCount: '1' };
const event = toSqsEvent(
  [{ MessageId: 'killed', Body: body, Attributes: attributes }],
  'ClickQueue',
);
const context: Partial<Context> = { getRemainingTimeInMillis: () => timeoutMs };
await createHandler(client)(event, context as Context);
