// Runs the aggregator in its own process, which kills itself before or after its first transaction.

import { createCommitClient } from 'powertools-idempotency-transactional';
import { localClientConfig } from '../../cli/local-aws.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';
import { createHandler } from '../../functions/aggregate-clicks.ts';

const { endpoint, moment, bodies } = JSON.parse(process.argv[2] ?? '{}');
const client = createCommitClient(localClientConfig(endpoint));

client.middlewareStack.add(
  (next) => async (args) => {
    if (moment === 'after') await next(args);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
  { step: 'deserialize', priority: 'low' },
);

await createHandler(client)(makeBatch(bodies), makeContext());
