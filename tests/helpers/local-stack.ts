import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { localClientConfig } from '../../local/engines/aws.ts';
import { type LocalStack, type StackOptions, startStack } from '../../local/stack/stack.ts';

interface LinkStats {
  code: string;
  url: string;
  clicks: number;
  days: { date: string; count: number }[];
}

/** A stack of its own for one test file, and what a user of it does. */
export async function startTestStack(options: StackOptions = {}) {
  const dir = await mkdtemp(path.join(tmpdir(), 'click-tally-test-'));
  const stackFile = path.join(dir, 'stack.json');
  const stack = await startStack({
    logFile: path.join(dir, 'functions.log'),
    stackFile,
    ...options,
  });
  const stop = async () => {
    await stack.stop();
    await rm(dir, { recursive: true });
  };
  return { ...stack, stackFile, stop, ...createApi(stack), ...createQueueAccess(stack) };
}

function createApi({ outputs: { api, token, dynamodbEndpoint, tableName } }: LocalStack) {
  const authorized = { authorization: `Bearer ${token}` };
  const database = DynamoDBDocumentClient.from(
    new DynamoDBClient(localClientConfig(dynamodbEndpoint)),
  );
  /** Creates a link with a code that no other test has, and returns the code. */
  const createLink = async () => {
    const code = randomUUID().slice(0, 8);
    const body = JSON.stringify({ url: 'https://example.com/', code });
    const response = await fetch(`${api}/links`, { method: 'POST', headers: authorized, body });
    if (response.status !== 201) throw new Error(`No link: ${await response.text()}`);
    return code;
  };
  const openLink = (code: string) => fetch(`${api}/${code}`, { redirect: 'manual' });
  const readStats = async (code: string): Promise<LinkStats> => {
    const response = await fetch(`${api}/links/${code}/stats`, { headers: authorized });
    return (await response.json()) as LinkStats;
  };
  const readItem = async (PK: string, SK: string) => {
    const command = new GetCommand({ TableName: tableName, Key: { PK, SK }, ConsistentRead: true });
    return (await database.send(command)).Item;
  };
  return { createLink, openLink, readStats, readItem };
}

function createQueueAccess({ outputs: { sqsEndpoint, clickQueueUrl, clickDlqUrl } }: LocalStack) {
  const client = new SQSClient(localClientConfig(sqsEndpoint));
  const send = async (...bodies: string[]) => {
    const entries = bodies.map((MessageBody, index) => ({ Id: `${index}`, MessageBody }));
    for (let start = 0; start < entries.length; start += 10) {
      const Entries = entries.slice(start, start + 10);
      await client.send(new SendMessageBatchCommand({ QueueUrl: clickQueueUrl, Entries }));
    }
  };
  /** How many messages ClickQueue holds, those included that are being worked on. */
  const countWaiting = async () => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: clickQueueUrl, AttributeNames: ['All'] }),
    );
    const { ApproximateNumberOfMessages, ApproximateNumberOfMessagesNotVisible } = Attributes;
    return Number(ApproximateNumberOfMessages) + Number(ApproximateNumberOfMessagesNotVisible);
  };
  const readDeadLetters = async () => {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: clickDlqUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 0,
      }),
    );
    return Messages.map(({ Body }) => Body);
  };
  return { send, countWaiting, readDeadLetters };
}

/** All running programs that inherited a variable with this value. */
export async function findPrograms(
  variable: string,
  value: string,
): Promise<{ pid: number; commandLine: string }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const programs = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      const inherited = (await read('environ')).split('\0').includes(`${variable}=${value}`);
      const commandLine = (await read('cmdline')).replaceAll('\0', ' ');
      return inherited ? [{ pid: Number(pid), commandLine }] : [];
    }),
  );
  return programs.flat();
}
