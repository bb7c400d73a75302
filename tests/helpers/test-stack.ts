import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createServiceClient } from '../../local/service-client.ts';
import { type StackOptions, startStack } from '../../local/stack/stack.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { fetchByContract } from './contract.ts';
import { createTestDir } from './test-dir.ts';

/** Starts a stack for one test file, with a client to use it. */
export async function startTestStack(options: StackOptions = {}) {
  await using cleanup = new AsyncDisposableStack();
  const dir = cleanup.use(await createTestDir());
  const stackFile = path.join(dir.path, 'stack.json');
  const logFile = path.join(dir.path, 'functions.log');
  const stack = await startStack({ logFile, stackFile, ...options });
  cleanup.defer(stack.stop);
  const { dynamodbEndpoint, sqsEndpoint } = stack.outputs;
  const dynamodb = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  const sqs = new SQSClient(localClientConfig(sqsEndpoint));
  const client = createServiceClient({ ...stack.outputs, dynamodb, sqs, fetch: fetchByContract });
  const started = cleanup.move();
  return { ...stack, ...client, stackFile, logFile, dynamodb, stop: () => started.disposeAsync() };
}

/** Finds the running processes that inherited this variable. */
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
