// The process of a function, which can be killed like an execution environment.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { type CreateHandler, createCountWork, type QueueHandler } from './approach.ts';
import { createFaultInjector, interceptRequests } from './fault-injector.ts';
import type { Approach } from './names.ts';
import type { InjectedFault } from './plan.ts';

/** The settings of a fresh instance of an approach's function. */
export interface InstanceSettings {
  approach: Approach;
  tableName: string;
  dynamodbEndpoint: string;
  silentPort: number;
}

export interface Invocation {
  event: SQSEvent;
  timeoutMs: number;
  /** How far the function's clock is ahead of the real one. */
  clockOffsetMs: number;
  fault?: InjectedFault | undefined;
}

/** Messages to a function's process. */
export type ToFunction =
  | { type: 'open'; settings: InstanceSettings }
  | { type: 'invoke'; invocation: Invocation }
  | { type: 'go' };

/** Messages from a function's process. An invocation that failed has an error. */
export type FromFunction =
  | { type: 'opened' | 'waiting' | 'dying' }
  | { type: 'ended'; response?: SQSBatchResponse | undefined; error?: string };

const say = (message: FromFunction, then = () => {}) => process.send?.(message, then);

const realNow = Date.now;
let go = () => {};
const controls = {
  die: () =>
    new Promise<never>(() => {
      say({ type: 'dying' }, () => process.kill(process.pid, 'SIGKILL'));
    }),
  waitForTurn: () =>
    new Promise<void>((resolve) => {
      go = resolve;
      say({ type: 'waiting' });
    }),
};
let faultInjector = createFaultInjector(undefined, controls);
let handler: QueueHandler;
let client: DynamoDBClient | undefined;

process.on('message', async (message: ToFunction) => {
  if (message.type === 'go') go();
  if (message.type === 'open') await open(message.settings);
  if (message.type === 'invoke') await invoke(message.invocation);
});
// Exit when the parent has gone.
process.on('disconnect', () => process.exit());

async function open(settings: InstanceSettings): Promise<void> {
  const { approach, tableName, dynamodbEndpoint, silentPort } = settings;
  process.env.TABLE_NAME = tableName;
  const { createHandler }: { createHandler: CreateHandler } = await import(
    `./approaches/${approach}.ts`
  );
  const config = localClientConfig(dynamodbEndpoint);
  client?.destroy();
  client = approach === 'click-tally' ? createCommitClient(config) : new DynamoDBClient(config);
  interceptRequests(client, silentPort, () => faultInjector);
  handler = createHandler({ client, tableName, work: createCountWork(client, tableName) });
  say({ type: 'opened' });
}

async function invoke({ event, timeoutMs, clockOffsetMs, fault }: Invocation): Promise<void> {
  Date.now = () => realNow() + clockOffsetMs;
  faultInjector = createFaultInjector(fault, controls);
  try {
    const response = (await handler(event, makeContext(timeoutMs))) ?? undefined;
    await faultInjector.beforeAnswer();
    say({ type: 'ended', response });
  } catch (error) {
    say({ type: 'ended', error: String(error) });
  }
}
