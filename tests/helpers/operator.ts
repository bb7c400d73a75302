import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Message, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, inject } from 'vitest';
import { countMessages, receiveAll, sqsBatchSize } from '../../cli/queue.ts';
import type { StackOutputs } from '../../cli/terminal/running-stack.ts';
import { chunk } from '../../lib/chunk.ts';
import { queueUrl, stackQueueUrls, startQueueServer } from '../../local/engines/queue-server.ts';
import { readTemplate } from '../../local/engines/template.ts';
import { createQueues } from '../../local/stack/queues.ts';
import { localClientConfig, region } from '../../loopback/local-aws.ts';
import { isolatedEnvironment, runCommand, startCommand } from './command.ts';
import { createTestDir } from './test-dir.ts';
import { startTable, type TestTable } from './test-table.ts';

export interface DeadLetter {
  body: string;
  attributes?: Record<string, string>;
}

type OperatedStack = Awaited<ReturnType<typeof startOperatedStack>>;

/** Starts a stack for each test of a file. See {@link startOperatedStack}. */
export function useOperatedStack(): OperatedStack {
  const stack = {} as OperatedStack;
  beforeEach(async () => {
    Object.assign(stack, await startOperatedStack());
    return stack.stop;
  });
  return stack;
}

/** Starts the table and the queues that the commands work on, without functions or an API of its own. */
export async function startOperatedStack(api: Partial<StackOutputs> = {}) {
  await using cleanup = new AsyncDisposableStack();
  const table = cleanup.adopt(await startTable(), ({ stop }) => stop());
  const server = cleanup.adopt(await startQueueServer(), ({ stop }) => stop());
  const sqs = new SQSClient(localClientConfig(server.url));
  await createQueues(sqs, server.url, await readTemplate(inject('packageDir')));
  const dir = cleanup.use(await createTestDir());
  const STACK_FILE = path.join(dir.path, 'stack.json');
  const outputs = { ...describeOutputs(table, server.url), ...api };
  await writeFile(STACK_FILE, JSON.stringify({ ...outputs, pid: process.pid }));

  /** Like {@link run}, in a process of its own. */
  const start = (script: string, args: string[]) =>
    startCommand(`cli/${script}`, args, isolatedEnvironment({ STACK_FILE }));
  const run = (script: string, args: string[]) => runOperatorCommand(script, args, { STACK_FILE });
  const started = cleanup.move();
  return {
    ...createQueueAccess(sqs, outputs.clickDlqUrl),
    outputs,
    table,
    sqs,
    start,
    run,
    stop: () => started.disposeAsync(),
  };
}

/** Runs a command of cli/ without the developer's AWS settings. */
export function runOperatorCommand(script: string, args: string[], environment: NodeJS.ProcessEnv) {
  return runCommand(`cli/${script}`, args, isolatedEnvironment(environment));
}

/** How a command ends that couldn't run: with one line. */
export function mistake(line: string) {
  return { code: 2, stdout: '', stderr: `error: ${line}\n` };
}

function describeOutputs({ endpoint, tableName }: TestTable, sqsEndpoint: string) {
  const nowhere = 'http://127.0.0.1:1';
  return {
    api: nowhere,
    liveUrl: nowhere,
    eventsEndpoint: nowhere,
    busName: 'ClickBus',
    region,
    token: 'none',
    otherToken: 'none',
    dynamodbEndpoint: endpoint,
    sqsEndpoint,
    tableName,
    ...stackQueueUrls(sqsEndpoint),
    standby: {
      api: nowhere,
      tableName,
      dynamodbEndpoint: endpoint,
      sqsEndpoint,
      dlqUrl: queueUrl(sqsEndpoint, 'StandbyDLQ'),
    },
  };
}

function createQueueAccess(sqs: SQSClient, clickDlqUrl: string) {
  /** Sends messages to a queue, by default to ClickDLQ. */
  const bury = async (deadLetters: DeadLetter[], QueueUrl = clickDlqUrl) => {
    const entries = deadLetters.map(({ body, attributes = {} }, index) => ({
      Id: `${index}`,
      MessageBody: body,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [
          name,
          { DataType: 'String', StringValue },
        ]),
      ),
    }));
    for (const Entries of chunk(entries, sqsBatchSize)) {
      await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    }
  };
  const countVisible = async (url: string) => (await countMessages({ sqs, url })).visible;
  /** Receives and hides all visible messages. */
  const drain = async (url: string): Promise<Message[]> =>
    (await Array.fromAsync(receiveAll({ sqs, url }, { VisibilityTimeout: 600 }))).flat();
  /** Drains a queue and returns the bodies, sorted. */
  const drainBodies = async (url: string) =>
    (await drain(url)).map(({ Body = '' }) => Body).toSorted();
  return { bury, countVisible, drain, drainBodies };
}
