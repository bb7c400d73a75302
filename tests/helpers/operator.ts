import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { localClientConfig } from '../../local/engines/aws.ts';
import { queueUrl, startQueueServer } from '../../local/engines/queue-server.ts';
import { readTemplate } from '../../local/engines/template.ts';
import { createQueues } from '../../local/stack/queues.ts';
import { startTable, type TestTable } from './engine.ts';

const sqsBatchSize = 10;
const writeBatchSize = 25;
const cliDir = path.resolve(import.meta.dirname, '../../cli');

export interface Letter {
  body: string;
  attributes?: Record<string, string>;
}

export type OperatedStack = Awaited<ReturnType<typeof startOperatedStack>>;

/** Starts the table and the queues that the operators' commands work on, without functions. */
export async function startOperatedStack() {
  await using cleanup = new AsyncDisposableStack();
  const table = cleanup.adopt(await startTable(), ({ stop }) => stop());
  const server = cleanup.adopt(await startQueueServer(), ({ stop }) => stop());
  const sqs = cleanup.adopt(new SQSClient(localClientConfig(server.url)), (client) =>
    client.destroy(),
  );
  await createQueues(sqs, server.url, await readTemplate(inject('packageDir')));
  const dir = cleanup.use(await mkdtempDisposable(path.join(tmpdir(), 'click-tally-test-')));
  const STACK_FILE = path.join(dir.path, 'stack.json');
  const outputs = describeOutputs(table, server.url);
  await writeFile(STACK_FILE, JSON.stringify(outputs));

  const start = (script: string, args: string[], environment?: NodeJS.ProcessEnv) =>
    startCommand(script, args, { STACK_FILE, ...environment });
  const run = (...command: Parameters<typeof start>) => start(...command).ended;
  const started = cleanup.move();
  return {
    outputs,
    sqs,
    start,
    run,
    stop: () => started.disposeAsync(),
    ...createTableAccess(table),
    ...createQueueAccess(sqs, outputs.clickDlqUrl),
  };
}

function describeOutputs({ endpoint, tableName }: TestTable, sqsEndpoint: string) {
  return {
    api: 'http://127.0.0.1:1',
    token: 'none',
    dynamodbEndpoint: endpoint,
    sqsEndpoint,
    eventsEndpoint: 'http://127.0.0.1:1',
    tableName,
    clickQueueUrl: queueUrl(sqsEndpoint, 'ClickQueue'),
    clickDlqUrl: queueUrl(sqsEndpoint, 'ClickDLQ'),
    busName: 'ClickBus',
  };
}

function createTableAccess({ client, tableName }: TestTable) {
  const database = DynamoDBDocumentClient.from(client);
  const writeItems = async (items: Record<string, unknown>[]) => {
    for (let first = 0; first < items.length; first += writeBatchSize) {
      const requests = items.slice(first, first + writeBatchSize);
      const RequestItems = { [tableName]: requests.map((Item) => ({ PutRequest: { Item } })) };
      await database.send(new BatchWriteCommand({ RequestItems }));
    }
  };
  return { database, writeItems };
}

function createQueueAccess(sqs: SQSClient, clickDlqUrl: string) {
  /** Puts messages into ClickDLQ unchanged. */
  const bury = async (letters: Letter[]) => {
    const entries = letters.map(({ body, attributes = {} }, index) => ({
      Id: `${index}`,
      MessageBody: body,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [
          name,
          { DataType: 'String', StringValue },
        ]),
      ),
    }));
    for (let first = 0; first < entries.length; first += sqsBatchSize) {
      const Entries = entries.slice(first, first + sqsBatchSize);
      await sqs.send(new SendMessageBatchCommand({ QueueUrl: clickDlqUrl, Entries }));
    }
  };
  /** Counts the messages that are visible, not in flight. */
  const countVisible = async (QueueUrl: string): Promise<number> => {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    return Number(Attributes.ApproximateNumberOfMessages);
  };
  /** Receives and hides all visible messages. */
  const drain = async (QueueUrl: string): Promise<Message[]> => {
    const drained: Message[] = [];
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: sqsBatchSize,
          VisibilityTimeout: 600,
          MessageAttributeNames: ['All'],
        }),
      );
      if (Messages.length === 0) return drained;
      drained.push(...Messages);
    }
  };
  /** Drains a queue and returns the bodies, sorted. */
  const drainBodies = async (url: string) =>
    (await drain(url)).map(({ Body = '' }) => Body).toSorted();
  return { bury, countVisible, drain, drainBodies };
}

/** A link's own item, with its total. */
export const total = (code: string, clicks: number) => ({
  PK: `LINK#${code}`,
  SK: 'META',
  clicks,
});

/** A link's item of one day. */
export const dayOf = (code: string, day: string, count: number) => ({
  PK: `LINK#${code}`,
  SK: `STAT#${day}`,
  count,
});

/** Starts a command of cli/ in its own process, as npm does. */
export function startCommand(script: string, args: string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [path.join(cliDir, script), ...args], {
    // Without the developer's own AWS settings.
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const ended = output.then(([stdout, stderr, [code]]) => ({ code, stdout, stderr }));
  return { child, ended };
}
