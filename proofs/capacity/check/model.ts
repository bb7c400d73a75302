import type { FunctionCode } from '../../simulation/compiled-code.ts';
import { type Cell, snapshot } from '../result.ts';
import { createWorld } from '../run.ts';
import type { Traffic } from '../traffic.ts';
import type { CapacityWorld } from '../world.ts';
import type { Batch, Count, Timed } from './observed.ts';

/** What the model runs; each seed has click ids of its own. */
export interface Model {
  cell: Cell;
  /** Its clicks are counted to the last. */
  traffic: Traffic;
  code: FunctionCode;
  seed: number;
}

/**
 * Lets the model count all clicks of a traffic as the stage does, with invocations that are longer
 * by `addedMs`.
 */
export async function runModel({ cell, traffic, code, seed }: Model, addedMs = 0): Promise<Count> {
  const batches: Batch[] = [];
  const onBatch = (messages: Batch) => batches.push(messages);
  const { cpu, cpuShare } = createWorld(cell, code, traffic).plan;
  const slowCpu = { ...cpu, perInvocationMs: cpu.perInvocationMs + addedMs * cpuShare };
  const world = createWorld(cell, code, traffic, { seed, onBatch, cpu: slowCpu });
  await world.run();
  return { observed: observe(world), batches };
}

/** Lets the model count these batches, one after another. */
export async function countInModel(
  { cell, traffic, code, seed }: Model,
  batches: readonly Batch[],
): Promise<Timed> {
  const world = createWorld(cell, code, traffic, { seed });
  await world.count(batches);
  return observe(world);
}

function observe(world: CapacityWorld): Timed {
  const { transactions, conflicts, throttled, committed } = snapshot(world);
  const { sums, lags } = world.meter;
  return {
    ...{ clicks: sums.counted, batches: sums.batches, conflicts, writeUnits: committed },
    // No click comes twice, so nothing else cancels a transaction.
    transactions: transactions - conflicts - throttled,
    invocationMs: sums.invocationMs / sums.batches,
    lagMs: { p50: lags.quantileMs(0.5), p99: lags.quantileMs(0.99) },
  };
}
