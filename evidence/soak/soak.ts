import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { localClientConfig } from '../../local/engines/aws.ts';
import { waitUntil } from '../../local/engines/wait-until.ts';
import { createServiceClient } from '../../local/service-client.ts';
import { type LocalStack, startStack } from '../../local/stack/stack.ts';
import { audit } from './audit.ts';
import { isFlat, plot, watchMemory } from './memory.ts';
import { findWorkers } from './process-tree.ts';
import { startTraffic } from './traffic.ts';

const linkCount = 10;
const trafficEveryMs = 100;
const killEveryMs = 20_000;
const memoryEveryMs = 1_000;
/** The share of the time in which workers are killed; then their memory is watched. */
const killShare = 0.5;
const drainTimeoutMs = 10 * 60_000;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '3' } } });
const minutes = Number(values.minutes);
if (minutes > 0) process.exitCode = await soak(minutes * 60_000);
else {
  console.error(`expected --minutes to be a number above 0; got "${values.minutes}"`);
  process.exitCode = 2;
}

/** Drives the local stack for so long, kills its workers meanwhile, and audits it in the end. */
async function soak(forMs: number): Promise<number> {
  const stack = await startStack({
    onProgress: (text) => console.log(text),
    onError: ({ message }) => console.log(`  ${message}`),
  });
  try {
    return await drive(stack, forMs);
  } finally {
    await stack.stop();
  }
}

async function drive(stack: LocalStack, forMs: number): Promise<number> {
  const { dynamodbEndpoint, sqsEndpoint } = stack.outputs;
  const dynamodb = new DynamoDBClient(localClientConfig(dynamodbEndpoint));
  const sqs = new SQSClient(localClientConfig(sqsEndpoint));
  const service = createServiceClient({ ...stack.outputs, dynamodb, sqs });
  const codes = await Promise.all(Array.from({ length: linkCount }, () => service.createLink()));

  const traffic = startTraffic(stack.outputs, codes, trafficEveryMs);
  await killWorkers(stack, forMs * killShare);
  const memory = watchMemory(memoryEveryMs);
  await pause(forMs * (1 - killShare));
  memory.stop();
  await traffic.stop();
  const { clicks, poison, duplicates, visits } = traffic.sent;
  const opened = [...visits.values()].reduce((sum, { answered }) => sum + answered, 0);
  console.log(
    `sent: ${clicks.size} clicks, ${duplicates} duplicates, ${poison.size} poison, ${opened} visits`,
  );

  console.log('waiting for the queue to run empty');
  const isEmpty = async () => (await service.countWaiting()) === 0;
  await waitUntil(isEmpty, { timeoutMs: drainTimeoutMs });
  const { counted, dead, problems } = await audit(stack.outputs, traffic.sent);
  console.log(`counted: ${counted}, dead letters: ${dead}, violations: ${problems.length}`);
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  console.log(`memory of the function workers: ${plot(memory.samples)}`);
  const isSteady = isFlat(memory.samples);
  if (!isSteady) console.log('expected the memory to be flat; it grows');
  dynamodb.destroy();
  sqs.destroy();
  return problems.length === 0 && isSteady ? 0 : 1;
}

// Half of them die at once, with whatever they are at; half are replaced as by a deploy.
async function killWorkers(stack: LocalStack, forMs: number): Promise<void> {
  const endMs = Date.now() + forMs;
  for (let round = 0; Date.now() + killEveryMs < endMs; round += 1) {
    await pause(killEveryMs);
    if (round % 2 === 1) {
      console.log('restarting the functions');
      await stack.restartFunctions();
      continue;
    }
    for (const { pid } of findWorkers()) {
      console.log(`killing function worker ${pid}`);
      process.kill(pid, 'SIGKILL');
    }
  }
}

function pause(forMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, forMs));
}
