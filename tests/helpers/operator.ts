import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
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
import { readTemplate } from '../../local/engines/template.ts';
import { createQueues, queueUrl, startQueueServer } from '../../local/stack/queues.ts';
import { startTable } from './engine.ts';

const batchSize = 10;
const writeBatchSize = 25;
const cliDir = path.resolve(import.meta.dirname, '../../cli');

export interface Letter {
  body: string;
  attributes?: Record<string, string>;
}

/** The table and the queues, without functions: what an operator's commands work on. */
export async function startOperatedStack() {
  const table = await startTable();
  const server = await startQueueServer();
  const sqs = new SQSClient(localClientConfig(server.url));
  await createQueues(sqs, server.url, await readTemplate(inject('packageDir')));
  const dir = await mkdtemp(path.join(tmpdir(), 'click-tally-test-'));
  const stackFile = path.join(dir, 'stack.json');
  const outputs = {
    api: 'http://127.0.0.1:1',
    token: 'none',
    dynamodbEndpoint: table.endpoint,
    sqsEndpoint: server.url,
    eventsEndpoint: 'http://127.0.0.1:1',
    tableName: table.tableName,
    clickQueueUrl: queueUrl(server.url, 'ClickQueue'),
    clickDlqUrl: queueUrl(server.url, 'ClickDLQ'),
    busName: 'ClickBus',
  };
  await writeFile(stackFile, JSON.stringify(outputs));
  const database = DynamoDBDocumentClient.from(table.client);
  const start = (script: string, args: string[], environment?: NodeJS.ProcessEnv) =>
    startCommand(script, args, { STACK_FILE: stackFile, ...environment });

  /** Takes all that can be received out of sight. */
  const drain = async (url: string): Promise<Message[]> => {
    const drained: Message[] = [];
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: batchSize,
          VisibilityTimeout: 600,
          MessageAttributeNames: ['All'],
        }),
      );
      if (Messages.length === 0) return drained;
      drained.push(...Messages);
    }
  };

  return {
    outputs,
    sqs,
    database,
    start,
    run: async (script: string, args: string[], environment?: NodeJS.ProcessEnv) =>
      await start(script, args, environment).ended,

    async stop() {
      sqs.destroy();
      await server.stop();
      await table.stop();
      await rm(dir, { recursive: true });
    },

    async writeItems(items: Record<string, unknown>[]) {
      for (let first = 0; first < items.length; first += writeBatchSize) {
        const requests = items.slice(first, first + writeBatchSize);
        const RequestItems = {
          [table.tableName]: requests.map((Item) => ({ PutRequest: { Item } })),
        };
        await database.send(new BatchWriteCommand({ RequestItems }));
      }
    },

    /** Puts messages into ClickDLQ as they are. */
    async bury(letters: Letter[]) {
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
      for (let first = 0; first < entries.length; first += batchSize) {
        const Entries = entries.slice(first, first + batchSize);
        await sqs.send(new SendMessageBatchCommand({ QueueUrl: outputs.clickDlqUrl, Entries }));
      }
    },

    /** Messages that anyone could receive this moment. */
    async countVisible(url: string): Promise<number> {
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({
          QueueUrl: url,
          AttributeNames: ['ApproximateNumberOfMessages'],
        }),
      );
      return Number(Attributes.ApproximateNumberOfMessages);
    },

    drain,

    /** The bodies of all that can be received, sorted. */
    drainBodies: async (url: string) => (await drain(url)).map(({ Body = '' }) => Body).toSorted(),
  };
}

/** A link's own item, with the sum of its clicks. */
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

/** Starts a command of the cli folder in a process of its own, as npm does. */
export function startCommand(script: string, args: string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [path.join(cliDir, script), ...args], {
    // None of the developer's own AWS settings.
    env: { PATH: process.env.PATH, HOME: '/nonexistent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const ended = output.then(([stdout, stderr, [code]]) => ({ code, stdout, stderr }));
  return { child, ended };
}
