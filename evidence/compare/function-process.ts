// The process in which a function runs, so that it can be killed as Lambda's can.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createCommitClient } from '../../lib/idempotency/index.ts';
import { localClientConfig } from '../../local/engines/aws.ts';
import { makeContext } from '../kit/lambda-context.ts';
import type { CreateHandler, QueueHandler } from './approach.ts';
import { setClock } from './clock.ts';
import { createTroublemaker } from './fault-injector.ts';
import { interceptRequests } from './intercept.ts';
import type { FromFunction, Instance, Invocation, ToFunction } from './protocol.ts';
import { createChargeWork, createCountWork } from './work.ts';

const say = (message: FromFunction) => process.send?.(message);

const turns = { go: () => {} };
const means = {
  die: () =>
    new Promise<never>(() => {
      process.send?.({ type: 'dying' } satisfies FromFunction, () =>
        process.kill(process.pid, 'SIGKILL'),
      );
    }),
  takeTurn: () =>
    new Promise<void>((resolve) => {
      turns.go = resolve;
      say({ type: 'waiting' });
    }),
};
let troublemaker = createTroublemaker(undefined, means);
let handler: QueueHandler;
let client: DynamoDBClient | undefined;

process.on('message', async (message: ToFunction) => {
  if (message.type === 'go') turns.go();
  if (message.type === 'open') await open(message.instance);
  if (message.type === 'invoke') await invoke(message.invocation);
});
// Without a parent there is nothing left to do.
process.on('disconnect', () => process.exit());
say({ type: 'ready' });

async function open(instance: Instance): Promise<void> {
  process.env.TABLE_NAME = instance.tableName;
  const { createHandler }: { createHandler: CreateHandler } = await import(
    `./approaches/${instance.approach}.ts`
  );
  const { tableName, nowherePort } = instance;
  const shared = { nowherePort, troublemaker: () => troublemaker };
  const config = localClientConfig(instance.dynamodbEndpoint);
  client?.destroy();
  client =
    instance.approach === 'click-tally' ? createCommitClient(config) : new DynamoDBClient(config);
  interceptRequests(client, shared);
  const work =
    instance.effect === 'count'
      ? createCountWork(client, tableName)
      : createChargeWork({
          ...shared,
          url: instance.paymentUrl,
          withKey: instance.effect === 'charge-with-key',
        });
  handler = createHandler({ client, tableName, work });
  say({ type: 'opened' });
}

async function invoke({ event, timeoutMs, clockOffsetMs, trouble }: Invocation): Promise<void> {
  setClock(clockOffsetMs);
  troublemaker = createTroublemaker(trouble, means);
  try {
    const response = (await handler(event, makeContext(timeoutMs))) ?? undefined;
    await troublemaker.beforeAnswer();
    say({ type: 'answered', response });
  } catch (error) {
    say({ type: 'failed', error: String(error) });
  }
}
