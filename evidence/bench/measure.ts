// Runs in a process of its own, whose output is discarded.
import { DynamoDBClient, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { createCommitClient } from '../../lib/idempotency/index.ts';
import { linkKey } from '../../lib/keys.ts';
import { localClientConfig } from '../../local/engines/aws.ts';
import { createTable } from '../../local/engines/table.ts';
import type { Template } from '../../local/engines/template.ts';
import type { CreateHandler } from '../compare/approach.ts';
import { createCountWork } from '../compare/work.ts';
import { meterClient } from '../kit/capacity-meter.ts';
import { makeContext } from '../kit/lambda-context.ts';
import { makeBatch } from '../kit/sqs-events.ts';
import {
  type ApproachName,
  approachNames,
  type BenchMessage,
  type BenchPlan,
  type Measurement,
  percentile,
  type Scenario,
} from './measurement.ts';

/** How long each approach runs in each round. It finishes the batch that it has begun. */
const runMs = 120;
const warmUpMs = 250;
const invocationTimeoutMs = 900_000;
const at = '2026-05-26T10:00:00Z';

type Runner = Awaited<ReturnType<typeof makeRunner>>;

process.once('message', async ({ plan, template }: { plan: BenchPlan; template: Template }) => {
  const client = new DynamoDBClient(localClientConfig(plan.endpoint));
  const tableName = process.env.TABLE_NAME ?? '';
  await createTable(client, template, tableName);
  const measurements: Measurement[] = [];
  for (const scenario of plan.scenarios) {
    const runners = await Promise.all(
      approachNames.map((approach) => makeRunner(plan.endpoint, tableName, approach, scenario)),
    );
    for (const runner of runners) await runBatches(runner, scenario, warmUpMs);
    for (let round = 0; round < plan.rounds; round++) {
      for (const runner of rotate(runners, round)) await measureRound(runner, scenario);
      report({ type: 'round', scenario });
    }
    for (const runner of runners) {
      measurements.push(summarize(runner, scenario, await isExact(client, tableName, runner)));
    }
  }
  report({ type: 'measured', measurements }, () => process.disconnect());
});
process.on('disconnect', () => process.exit());

function report(message: BenchMessage, then = () => {}): void {
  process.send?.(message, then);
}

/** Creates an approach with links, a client and a meter of its own. */
async function makeRunner(
  endpoint: string,
  tableName: string,
  approach: ApproachName,
  { links, batch }: Scenario,
) {
  // A thousand concurrent requests wait for 50 sockets, and the SDK would warn about that.
  const requestHandler = { socketAcquisitionWarningTimeout: invocationTimeoutMs };
  const config = { ...localClientConfig(endpoint), requestHandler };
  const isOurs = approach === 'click-tally';
  const client = isOurs ? createCommitClient(config) : new DynamoDBClient(config);
  const { createHandler }: { createHandler: CreateHandler } = await import(moduleOf(approach));
  const handler = createHandler({ client, tableName, work: createCountWork(client, tableName) });
  const codes = Array.from(
    { length: links },
    (_, index) => `${approach}-${links}-${batch}-${index}`,
  );
  for (const code of codes) {
    const Item = marshall({ ...linkKey(code), url: 'https://example.com/', clicks: 0 });
    await client.send(new PutItemCommand({ TableName: tableName, Item }));
  }
  const meter = meterClient(client);
  const measured = { sent: 0, batchMs: [] as number[], clicksPerSecond: [] as number[] };
  return { approach, codes, handler, meter, ...measured };
}

function moduleOf(approach: ApproachName): string {
  const folder = approach === 'hand-rolled-parallel' ? '.' : '../compare/approaches';
  return `${folder}/${approach}.ts`;
}

async function measureRound(runner: Runner, scenario: Scenario): Promise<void> {
  const batchMs = await runBatches(runner, scenario, runMs);
  runner.batchMs.push(...batchMs);
  const tookMs = batchMs.reduce((sum, ms) => sum + ms, 0);
  runner.clicksPerSecond.push((batchMs.length * scenario.batch * 1_000) / tookMs);
}

/** Runs batches for `forMs` milliseconds and returns the milliseconds that each took. */
async function runBatches(runner: Runner, { batch }: Scenario, forMs: number): Promise<number[]> {
  const batchMs: number[] = [];
  for (const endMs = performance.now() + forMs; performance.now() < endMs; ) {
    const event = nextBatch(runner, batch);
    const startMs = performance.now();
    const response = await runner.handler(event, makeContext(invocationTimeoutMs));
    batchMs.push(performance.now() - startMs);
    if (response?.batchItemFailures.length) {
      throw new Error(`Expected ${runner.approach} to count every click; it reported failures.`);
    }
  }
  return batchMs;
}

function nextBatch(runner: Runner, batch: number): SQSEvent {
  const bodies = Array.from({ length: batch }, () => {
    const click = runner.sent++;
    const code = runner.codes[click % runner.codes.length] ?? '';
    return makeBody(`${runner.approach}-${code}-${click}`, code);
  });
  return makeBatch(bodies);
}

/** Makes a click as the bus sends it to the queue. */
function makeBody(clickId: string, code: string): string {
  return JSON.stringify({
    version: '0',
    id: crypto.randomUUID(),
    'detail-type': 'link.clicked',
    source: 'click-tally',
    account: '000000000000',
    time: at,
    region: 'us-east-1',
    resources: [],
    detail: { clickId, code, at },
  });
}

function summarize(runner: Runner, scenario: Scenario, exact: boolean): Measurement {
  return {
    approach: runner.approach,
    ...scenario,
    writeUnitsPerClick: runner.meter.writeUnits / runner.sent,
    requestsPerClick: runner.meter.requests / runner.sent,
    clicksPerSecond: percentile(runner.clicksPerSecond, 0.5),
    p50Ms: percentile(runner.batchMs, 0.5),
    p99Ms: percentile(runner.batchMs, 0.99),
    exact,
  };
}

async function isExact(
  client: DynamoDBClient,
  tableName: string,
  runner: Runner,
): Promise<boolean> {
  const sums = await Promise.all(runner.codes.map((code) => readSums(client, tableName, code)));
  return sums.every(({ clicks, days }, index) => {
    const share = Math.floor((runner.sent + runner.codes.length - 1 - index) / runner.codes.length);
    return clicks === share && days === share;
  });
}

async function readSums(client: DynamoDBClient, tableName: string, code: string) {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: marshall({ ':pk': linkKey(code).PK }),
      ConsistentRead: true,
    }),
  );
  const items = Items.map((item) => unmarshall(item));
  return {
    clicks: items.reduce((sum, { clicks = 0 }) => sum + clicks, 0),
    days: items.reduce((sum, { count = 0 }) => sum + count, 0),
  };
}

function rotate<T>(values: T[], by: number): T[] {
  const start = by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
