// Runs in a separate process, whose output is discarded.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localClientConfig } from '../../cli/local-aws.ts';
import { createTable } from '../../local/engines/create-table.ts';
import type { Template } from '../../local/engines/template.ts';
import { percentile } from '../tools/percentile.ts';
import { describeSlowdown } from './engine-speed.ts';
import {
  type BenchMessage,
  type BenchPlan,
  type MarkerStorage,
  type Measurement,
  planContenders,
  planStorage,
  type Scenario,
} from './measurement.ts';
import { createRunner, isExact, type Runner, runBatch } from './runner.ts';
import { measureStorage } from './storage.ts';

/** How long each contender runs in each round. It finishes its last batch. */
const runMs = 120;
const warmUpMs = 250;

const gaugeScenario: Scenario = { links: 1, batch: 10 };
const gaugeMs = 1_000;

/** The links of {@link planStorage}. A code is as long as those that create-link mints. */
const storageCodes = ['example'];

const tableName = process.env.TABLE_NAME ?? '';

process.once('message', async ({ plan, template }: { plan: BenchPlan; template: Template }) => {
  const client = new DynamoDBClient(localClientConfig(plan.endpoint));
  await createTable(client, template, tableName, { hasStream: false });
  const readSpeed = await createGauge(plan.endpoint);
  const startMs = await readSpeed();
  const measurements: Measurement[] = [];
  for (const scenario of plan.scenarios) {
    measurements.push(...(await measureScenario(client, plan, scenario)));
  }
  const storage: MarkerStorage[] = [];
  for (const contender of planStorage()) {
    const options = { endpoint: plan.endpoint, tableName, codes: storageCodes };
    const runner = await createRunner(contender, options);
    storage.push(await measureStorage(client, tableName, runner));
  }
  const slowdown = describeSlowdown(startMs, await readSpeed());
  const end: BenchMessage = slowdown
    ? { type: 'slowed', slowdown }
    : { type: 'measured', result: { measurements, storage } };
  report(end, () => process.disconnect());
});
process.on('disconnect', () => process.exit());

function report(message: BenchMessage, then = () => {}): void {
  process.send?.(message, then);
}

/** Returns a function that measures the engine's speed: the median of a batch, in milliseconds. */
async function createGauge(endpoint: string): Promise<() => Promise<number>> {
  const contender = { approach: 'hand-rolled' } as const;
  const runner = await createRunner(contender, { endpoint, tableName, codes: ['gauge'] });
  await runBatches(runner, gaugeScenario, warmUpMs);
  return async () => percentile(await runBatches(runner, gaugeScenario, gaugeMs), 0.5);
}

async function measureScenario(
  client: DynamoDBClient,
  { endpoint, rounds }: BenchPlan,
  scenario: Scenario,
): Promise<Measurement[]> {
  const tracks = await Promise.all(
    planContenders(scenario).map(async (contender, index) => {
      const codes = makeCodes(index, scenario);
      const runner = await createRunner(contender, { endpoint, tableName, codes });
      return { runner, batchMs: [] as number[], clicksPerSecond: [] as number[] };
    }),
  );
  for (const { runner } of tracks) await runBatches(runner, scenario, warmUpMs);
  for (let round = 0; round < rounds; round++) {
    for (const track of rotate(tracks, round)) await measureRound(track, scenario);
    report({ type: 'round', scenario });
  }
  return await Promise.all(
    tracks.map(async (track) => ({
      ...summarize(track, scenario),
      exact: await isExact(client, tableName, track.runner),
    })),
  );
}

function makeCodes(contender: number, { links, batch }: Scenario): string[] {
  return Array.from({ length: links }, (_, link) => `link-${contender}-${links}-${batch}-${link}`);
}

/** A contender's measurements so far. */
interface Track {
  runner: Runner;
  batchMs: number[];
  clicksPerSecond: number[];
}

async function measureRound(track: Track, scenario: Scenario): Promise<void> {
  const batchMs = await runBatches(track.runner, scenario, runMs);
  track.batchMs.push(...batchMs);
  const tookMs = batchMs.reduce((sum, ms) => sum + ms, 0);
  track.clicksPerSecond.push((batchMs.length * scenario.batch * 1_000) / tookMs);
}

/** Runs batches for `forMs` milliseconds and returns the milliseconds that each took. */
async function runBatches(runner: Runner, { batch }: Scenario, forMs: number): Promise<number[]> {
  const batchMs: number[] = [];
  for (const endMs = performance.now() + forMs; performance.now() < endMs; ) {
    batchMs.push(await runBatch(runner, batch));
  }
  return batchMs;
}

function summarize(
  { runner: { contender, meter, sentIds }, batchMs, clicksPerSecond }: Track,
  scenario: Scenario,
): Omit<Measurement, 'exact'> {
  return {
    ...contender,
    ...scenario,
    writeUnitsPerClick: meter.writeUnits / sentIds.length,
    requestsPerClick: meter.requests / sentIds.length,
    clicksPerSecond: percentile(clicksPerSecond, 0.5),
    p50Ms: percentile(batchMs, 0.5),
    p99Ms: percentile(batchMs, 0.99),
  };
}

function rotate<T>(values: T[], by: number): T[] {
  const start = by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
