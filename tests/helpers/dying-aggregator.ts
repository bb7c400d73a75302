// Runs a batch function, by default the aggregator, in its own process. It kills itself at its first
// transaction, or after it has answered its batch.

import { createCommitClient } from 'powertools-idempotency-transactional';
import { localClientConfig } from '../../cli/local-aws.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';

const job = JSON.parse(process.argv[2] ?? '{}');
const { endpoint, moment, bodies, file = '../../functions/aggregate-clicks.ts' } = job;
const client = createCommitClient(localClientConfig(endpoint));

/** Kills the process, so that no finally block runs. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

client.middlewareStack.add(
  (next) => async (args) => {
    if (moment === 'before') await die();
    const result = await next(args);
    return moment === 'after' ? die() : result;
  },
  { step: 'deserialize', priority: 'low' },
);

const { createHandler } = await import(file);
await createHandler(client)(makeBatch(bodies), makeContext());
await die();
