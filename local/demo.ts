import path from 'node:path';
import { styleText } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { printLine } from '../cli/terminal/print.ts';
import { abortOnInterrupt, exitCodes, untilAborted } from '../cli/terminal/program.ts';
import {
  NoStackError,
  readRunningStack,
  type StackOutputs,
} from '../cli/terminal/running-stack.ts';
import { getItem } from '../lib/dynamodb/requests.ts';
import { linkKey } from '../lib/keys.ts';
import { localClientConfig, localEnvironment } from '../loopback/local-aws.ts';
import type { Job } from './demo/dying-consumer.ts';
import { loseHomeRegion } from './demo/lost-region.ts';
import {
  createNarrator,
  killConsumer,
  openThreeTimes,
  recount,
  sendInvalid,
  sendTwice,
} from './demo/real-tests.ts';
import { startChild } from './engines/child-process.ts';
import { createServiceClient } from './service-client.ts';
import { startStackUnlessAborted } from './stack/interruptible-start.ts';
import type { LocalStack } from './stack/stack.ts';

export interface DemoOptions {
  port?: number;
  /** Whether to lose the home Region, on a stack of its own. */
  standby?: boolean;
}

/** Runs the demo on the stack on that port, or on its own if none is running. */
export async function demo(options: DemoOptions): Promise<void> {
  const signal = abortOnInterrupt();
  signal.addEventListener('abort', () => console.log('\nStopping …'));
  if (!options.standby) {
    const running = await findRunningStack(options.port);
    if (running) return playUntilAborted({ outputs: running }, signal);
    console.log('No stack is running, so this demo starts its own …');
  }
  const onError = ({ message }: Error) => printLine(`  ! ${message}`);
  const stack = await startStackUnlessAborted({ hasStandby: options.standby, onError }, signal);
  if (!stack) return;
  try {
    console.log(`It is running at ${stack.outputs.api}.`);
    await playUntilAborted(stack, signal);
  } finally {
    await stack.stop();
  }
}

type PlayedStack = Pick<LocalStack, 'outputs'> & Partial<LocalStack>;

async function playUntilAborted(stack: PlayedStack, signal: AbortSignal): Promise<void> {
  const playing = play(stack).then((isRight) => {
    if (!isRight && !signal.aborted) process.exitCode = exitCodes.failure;
  });
  await Promise.race([playing, untilAborted(signal)]);
}

async function play({ outputs, home }: PlayedStack): Promise<boolean> {
  const narrator = createNarrator();
  const service = createServiceClient({
    ...outputs,
    dynamodb: new DynamoDBClient(localClientConfig(outputs.dynamodbEndpoint)),
    sqs: new SQSClient(localClientConfig(outputs.sqsEndpoint)),
  });
  if (home && outputs.standby) {
    const readStandby = connectStandby(outputs.standby);
    await loseHomeRegion({ service, narrator }, { home, readStandby });
  } else {
    const code = await openThreeTimes({ service, narrator });
    const play = { service, narrator, code };
    await sendTwice(play);
    await killConsumer(play, (body) => consumeAndDie(outputs, body));
    await sendInvalid(play);
    await recount(play);
  }
  const { checks, failures } = narrator.results();
  const isRight = failures === 0;
  const result = isRight
    ? `All ${checks} checks passed.`
    : `${failures} of ${checks} checks failed.`;
  console.log(`\n${styleText(['bold', isRight ? 'green' : 'red'], result)}`);
  return isRight;
}

/** Reads links' items in the standby's table. */
function connectStandby({ dynamodbEndpoint, tableName }: NonNullable<StackOutputs['standby']>) {
  const database = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  const table = { client: DynamoDBDocumentClient.from(database), tableName };
  return (code: string) => getItem<Record<string, unknown>>(table, linkKey(code));
}

/** Counts a message in a process that is killed after the commit. Returns its exit code. */
function consumeAndDie(outputs: StackOutputs, body: string): Promise<number | null> {
  const day = '86400';
  const env = {
    ...localEnvironment(),
    STAGE: 'local',
    TABLE_NAME: outputs.tableName,
    CLICK_DLQ_URL: outputs.clickDlqUrl,
    MAX_RECEIVE_COUNT: '3',
    QUEUE_RETENTION_SECONDS: day,
    DEAD_LETTER_RETENTION_SECONDS: day,
    BUS_RETRY_SECONDS: day,
  };
  const job: Job = { endpoint: outputs.dynamodbEndpoint, moment: 'after', bodies: [body] };
  const consumer = path.join(import.meta.dirname, 'demo/dying-consumer.ts');
  return startChild(process.execPath, [consumer, JSON.stringify(job)], { env }).exited;
}

async function findRunningStack(port?: number): Promise<StackOutputs | undefined> {
  try {
    const outputs = await readRunningStack(port);
    console.log(`Using the stack that is running at ${outputs.api}.`);
    return outputs;
  } catch (error) {
    if (error instanceof NoStackError && port === undefined) return undefined;
    throw error;
  }
}
