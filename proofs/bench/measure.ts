import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localClientConfig } from '../../cli/local-aws.ts';
import { createTable } from '../../local/engines/create-table.ts';
import type { Template } from '../../local/engines/template.ts';
import { percentile } from '../tools/percentile.ts';
import { approachNames, createRunner, isExact, type Runner, runBatch } from './runner.ts';

/** Batches of `batch` clicks, spread evenly over `links` links. */
interface Scenario {
  links: number;
  batch: number;
}

interface BenchPlan {
  scenarios: Scenario[];
  /** Every approach runs in every round. */
  rounds: number;
  endpoint: string;
  template: Template;
}

/** The measurement of an approach in a scenario. */
export interface Measurement extends Scenario {
  approach: string;
  /** Write units, from the engine's own ConsumedCapacity. */
  writeUnitsPerClick: number;
  requestsPerClick: number;
  /** Median over the rounds. */
  clicksPerSecond: number;
  /** Milliseconds for one batch. */
  p50Ms: number;
  /** Whether every link's total and days equal the clicks that were sent. */
  exact: boolean;
}

/** An approach's measurements so far. */
interface Track {
  runner: Runner;
  batchMs: number[];
  clicksPerSecond: number[];
}

/** How long each approach runs in each round. It finishes its last batch. */
const runMs = 120;
const warmUpMs = 250;
const tableName = 'click-tally-bench';

/** Measures all approaches in each scenario. The functions' variables must be set. */
export async function measure(
  { scenarios, rounds, endpoint, template }: BenchPlan,
  onRound: () => void,
): Promise<Measurement[]> {
  process.env.TABLE_NAME = tableName;
  const client = new DynamoDBClient(localClientConfig(endpoint));
  await createTable(client, template, tableName, { hasStream: false });
  const measurements: Measurement[] = [];
  for (const scenario of scenarios) {
    const tracks = await createTracks(endpoint, scenario);
    for (const { runner } of tracks) await runBatches(runner, scenario, warmUpMs);
    for (let round = 0; round < rounds; round++) {
      for (const track of rotate(tracks, round)) await measureRound(track, scenario);
      onRound();
    }
    for (const track of tracks) measurements.push(await summarize(client, track, scenario));
  }
  return measurements;
}

/** Each approach has its own links. */
function createTracks(endpoint: string, { links, batch }: Scenario): Promise<Track[]> {
  return Promise.all(
    approachNames.map(async (approach, index) => {
      const prefix = `link-${index}-${links}-${batch}`;
      const codes = Array.from({ length: links }, (_, link) => `${prefix}-${link}`);
      const runner = await createRunner(approach, { endpoint, tableName, codes });
      return { runner, batchMs: [], clicksPerSecond: [] };
    }),
  );
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

async function summarize(
  client: DynamoDBClient,
  { runner, batchMs, clicksPerSecond }: Track,
  scenario: Scenario,
): Promise<Measurement> {
  const { approach, meter, sentIds } = runner;
  return {
    ...{ approach, ...scenario },
    writeUnitsPerClick: meter.writeUnits / sentIds.length,
    requestsPerClick: meter.requests / sentIds.length,
    clicksPerSecond: percentile(clicksPerSecond, 0.5),
    p50Ms: percentile(batchMs, 0.5),
    exact: await isExact(client, tableName, runner),
  };
}

function rotate<T>(values: T[], by: number): T[] {
  const start = by % values.length;
  return [...values.slice(start), ...values.slice(0, start)];
}
