// An aggregator in a process of its own, which kills itself at its first transaction.

import { makeContext } from '../../evidence/kit/lambda-context.ts';
import { makeBatch } from '../../evidence/kit/sqs-events.ts';
import { createCommitClient } from '../../lib/idempotency/index.ts';
import { localClientConfig } from '../../local/engines/aws.ts';

const { endpoint, moment, bodies } = JSON.parse(process.argv[2] ?? '{}');
const client = createCommitClient(localClientConfig(endpoint));

/** Not even a finally runs after this. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

client.middlewareStack.add(
  (next) => async (args) => {
    if (moment === 'before') await die();
    await next(args);
    return die();
  },
  { step: 'deserialize', priority: 'low' },
);

const { createHandler } = await import('../../functions/aggregate-clicks.ts');
await createHandler(client)(makeBatch(bodies), makeContext());
