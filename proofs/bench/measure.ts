import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Template } from '../../local/engines/template.ts';
import { localClientConfig } from '../../loopback/local-aws.ts';
import { createCellTable, type Item } from '../compare/cell-table.ts';
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
  /** Whether writes take as long as on AWS. */
  hasLatencies: boolean;
}

/** The measurement of an approach in a scenario. */
export type Measurement = ReturnType<typeof summarize>;

/** How long each approach runs in each round. It finishes its last batch. */
const runMs = 120;
const warmUpMs = 250;

/** Measures all approaches in each scenario. The functions' variables must be set. */
export async function measure(
  { scenarios, rounds, endpoint, template, hasLatencies }: BenchPlan,
  onRound: () => void,
): Promise<Measurement[]> {
  const client = new DynamoDBClient(localClientConfig(endpoint));
  const measurements: Measurement[] = [];
  for (const scenario of scenarios) {
    const kind = hasLatencies ? 'aws' : 'engine';
    const tableName = `bench-${kind}-${scenario.links}-${scenario.batch}`;
    process.env.TABLE_NAME = tableName;
    const codes = approachNames.map((_, index) =>
      Array.from({ length: scenario.links }, (_, link) => `link-${index}-${link}`),
    );
    const table = await createCellTable(client, template, tableName, codes.flat());
    const runners: Runner[] = [];
    for (const [index, name] of approachNames.entries()) {
      const options = { endpoint, tableName, codes: codes[index] ?? [], hasLatencies };
      const runner = await createRunner(name, options);
      runners.push(runner);
      await runBatches(runner, scenario, hasLatencies ? 0 : warmUpMs);
    }
    for (let round = 0; round < rounds; round++) {
      const start = round % runners.length;
      const inTurn = [...runners.slice(start), ...runners.slice(0, start)];
      for (const runner of inTurn) await measureRound(runner, scenario);
      onRound();
    }
    const items = await table.readAll();
    measurements.push(...runners.map((runner) => summarize(runner, scenario, items)));
    await table.remove();
  }
  return measurements;
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
    batchMs.push(await runBatch(runner, batch));
  }
  return batchMs;
}

function summarize(runner: Runner, scenario: Scenario, items: Item[]) {
  const { approach, meter, sentIds, batchMs, clicksPerSecond } = runner;
  return {
    approach,
    ...scenario,
    /** From the engine's own ConsumedCapacity. */
    writeUnitsPerClick: meter.writeUnits / sentIds.length,
    requestsPerClick: meter.requests / sentIds.length,
    clicksPerSecond: percentile(clicksPerSecond, 0.5),
    /** Milliseconds for one batch. */
    p50Ms: percentile(batchMs, 0.5),
    exact: isExact(runner, items),
  };
}
