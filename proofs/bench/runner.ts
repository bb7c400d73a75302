import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { createCommitClient } from 'powertools-idempotency-transactional';
import { slotsPerSheet } from 'powertools-idempotency-transactional/sheets';
import { meterClient } from '../../fixtures/capacity-meter.ts';
import { makeContext } from '../../fixtures/lambda-context.ts';
import { makeBatch } from '../../fixtures/sqs-events.ts';
import { sampleSize } from '../../lib/clicks/click-id.ts';
import { linkKey } from '../../lib/keys.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { type CreateHandler, createCountWork } from '../compare/approach.ts';
import type { Item } from '../compare/cell-table.ts';
import { makeClickBody } from '../tools/click-body.ts';
import { createStageIds } from '../tools/click-ids.ts';
import { createRandom } from '../tools/random.ts';
import { addAwsLatencies } from './aws-latencies.ts';

/** In the order of the table. */
export const approachNames = [
  ...['naive', 'hand-rolled', 'hand-rolled-parallel', 'hand-rolled-click-id'],
  ...['powertools', 'powertools-transaction', 'click-tally', 'click-tally-foreign-ids'],
];

/** The environments of resolve-link that mint click-tally's ids, as on a busy stage. */
const environments = 10;
const invocationTimeoutMs = 900_000;
const seed = 1;

export type Runner = Awaited<ReturnType<typeof createRunner>>;

interface RunnerOptions {
  endpoint: string;
  tableName: string;
  codes: string[];
  /** Whether its writes take as long as on AWS. */
  hasLatencies: boolean;
}

/** Creates an approach with its own client and meter, and links that its clicks use in turn. */
export async function createRunner(
  approach: string,
  { endpoint, tableName, codes, hasLatencies }: RunnerOptions,
) {
  // A thousand concurrent requests share 50 sockets, which the SDK would warn about.
  const requestHandler = { socketAcquisitionWarningTimeout: invocationTimeoutMs };
  const config = { ...localClientConfig(endpoint), requestHandler };
  const isOurs = approach.startsWith('click-tally');
  const client = isOurs ? createCommitClient(config) : new DynamoDBClient(config);
  const { createHandler }: { createHandler: CreateHandler } = await import(moduleOf(approach));
  const handler = createHandler({ client, tableName, work: createCountWork(client, tableName) });
  sendWithoutTokens(client);
  const meter = meterClient(client);
  if (hasLatencies) addAwsLatencies(client);
  return {
    approach,
    codes,
    handler,
    meter,
    nextId: createIds(approach, codes),
    sentIds: [] as string[],
    batchMs: [] as number[],
    clicksPerSecond: [] as number[],
  };
}

/**
 * For each transaction with a token, dynoxide scans all tokens of the last ten minutes, so it would slow
 * down with every transaction. Without faults, nothing needs a token.
 */
function sendWithoutTokens(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => (args) => {
      const request = args.request as { body: string | Uint8Array };
      const { body } = request;
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
      request.body = text.replace(/,"ClientRequestToken":"[^"]*"/, '');
      return next(args);
    },
    { step: 'build', priority: 'high' },
  );
}

function moduleOf(approach: string): string {
  if (approach === 'hand-rolled-parallel') return `./${approach}.ts`;
  const name = approach === 'click-tally-foreign-ids' ? 'click-tally' : approach;
  return `../compare/approaches/${name}.ts`;
}

function createIds(approach: string, codes: string[]): (code: string) => string {
  if (approach !== 'click-tally') return () => crypto.randomUUID();
  const random = createRandom(seed, `${environments} environments`);
  const pickCode = () => random.pick(codes);
  // An environment that has been running for a while is in the middle of a sheet.
  const earlierClicks = () => sampleSize + random.integer(0, slotsPerSheet - 1);
  const place = createStageIds({ environments, random, pickCode, earlierClicks });
  return (code) => place(code).clickId;
}

/**
 * Runs one batch and returns its duration in milliseconds.
 * @throws {Error} if the approach reports a failure.
 */
export async function runBatch(runner: Runner, batch: number): Promise<number> {
  const event = nextBatch(runner, batch);
  const startMs = performance.now();
  const response = await runner.handler(event, makeContext(invocationTimeoutMs));
  const tookMs = performance.now() - startMs;
  if (response?.batchItemFailures.length) {
    throw new Error(`Expected ${runner.approach} to count every click; it reported failures.`);
  }
  return tookMs;
}

function nextBatch({ sentIds, nextId, codes }: Runner, batch: number): SQSEvent {
  const bodies = Array.from({ length: batch }, () => {
    const code = codes[sentIds.length % codes.length] ?? '';
    const clickId = nextId(code);
    return makeClickBody(sentIds.push(clickId) - 1, code, clickId);
  });
  return makeBatch(bodies);
}

/** Whether every link's total and days equal the clicks that were sent. */
export function isExact({ codes, sentIds }: Runner, items: Item[]): boolean {
  const byLink = Map.groupBy(items, ({ PK }) => PK);
  return codes.every((code, index) => {
    const share = Math.floor((sentIds.length + codes.length - 1 - index) / codes.length);
    const sum = (attribute: string) =>
      (byLink.get(linkKey(code).PK) ?? []).reduce(
        (sum, item) => sum + Number(item[attribute] ?? 0),
        0,
      );
    return sum('clicks') === share && sum('count') === share;
  });
}
