import { runCells } from './pool.ts';
import type { Cell, Result, Tuning } from './result.ts';

/** The traffic that decides the settings, and the stage whose other settings apply. */
const traffic = 'busy';
const stage = 'prod';

const batchSizes = [100, 1_000, 10_000];
const windowsSeconds = [1, 2, 5, 30];
const concurrencies = [2, 5, 10];
/** Of the traffic's time, so that a sweep takes minutes. */
const share = 0.4;
/** Batches of so few are full before any window ends. */
const alwaysFull = 100;
const usualMemoryMb = 1_024;
const memoriesMb = [512, 1_024, 1_769];

/** The lags that the sweep answers for, in seconds. */
export const goalsSeconds = [5, 60] as const;

/** One setting and what it gave; the dollars are all of a click through the API. */
export interface Trial {
  tuning: Required<Tuning>;
  holds: boolean;
  lagP99Ms: number;
  unitsPerClick: number;
  dollarsPerMillion: number;
}

export interface Sweep {
  traffic: string;
  stage: string;
  /** The cheapest setting with a 99th percentile of the lag below each goal, by the goal in seconds. */
  best: Record<string, Trial>;
  trials: Trial[];
}

/**
 * Tries batch size × window × concurrency, and then memory for the best of them, because memory
 * changes neither batches nor write units much.
 */
export async function sweep(
  price: (result: Result) => Promise<number>,
  onProgress: (addedPercent: number, cell: Cell) => void,
): Promise<Sweep> {
  const first = await tryAll(listTunings(), price, onProgress);
  const candidates = goalsSeconds.map((goal) => findCheapest(first, goal).tuning);
  const unique = [...new Map(candidates.map((one) => [JSON.stringify(one), one])).values()];
  const others = unique.flatMap((tuning) =>
    memoriesMb
      .filter((memoryMb) => memoryMb !== usualMemoryMb)
      .map((memoryMb) => ({ ...tuning, memoryMb })),
  );
  const trials = [...first, ...(await tryAll(others, price, onProgress))];
  const best = goalsSeconds.map((goal) => [goal, findCheapest(trials, goal)]);
  return { traffic, stage, best: Object.fromEntries(best), trials };
}

/** Where the last sweep is recorded. */
export const sweepFile = new URL('sweep.json', import.meta.url);

/** How many trials there are at most. */
export const trialCount = listTunings().length + goalsSeconds.length * (memoriesMb.length - 1);

/** Prices that differ by less say nothing. */
const priceTolerance = 0.01;

/**
 * Of the settings with the lowest price, the one with the lowest lag.
 * @throws {Error} if no setting keeps the lag below the goal.
 */
export function findCheapest(trials: readonly Trial[], goalSeconds: number): Trial {
  const fit = trials.filter(({ holds, lagP99Ms }) => holds && lagP99Ms < goalSeconds * 1_000);
  const lowest = Math.min(...fit.map(({ dollarsPerMillion }) => dollarsPerMillion));
  const [best] = fit
    .filter(({ dollarsPerMillion }) => dollarsPerMillion <= lowest * (1 + priceTolerance))
    .toSorted((a, b) => a.lagP99Ms - b.lagP99Ms);
  if (best) return best;
  throw new Error(`expected a setting with a lag below ${goalSeconds} s; none of them has`);
}

function windowsOf(batchSize: number): number[] {
  return batchSize === alwaysFull ? windowsSeconds.slice(0, 1) : windowsSeconds;
}

function listTunings(): Required<Tuning>[] {
  return batchSizes.flatMap((batchSize) =>
    windowsOf(batchSize).flatMap((batchWindowSeconds) =>
      concurrencies.map((maximumConcurrency) => ({
        ...{ batchSize, batchWindowSeconds, maximumConcurrency, memoryMb: usualMemoryMb },
      })),
    ),
  );
}

async function tryAll(
  tunings: readonly Required<Tuning>[],
  price: (result: Result) => Promise<number>,
  onProgress: (addedPercent: number, cell: Cell) => void,
): Promise<Trial[]> {
  const cells = tunings.map((tuning) => ({
    ...{ stage, traffic, tuning, share, approach: 'click-tally' as const },
  }));
  const results = await runCells(cells, onProgress);
  return Promise.all(
    results.map(async (result, index) => ({
      tuning: tunings[index] as Required<Tuning>,
      holds: result.holds && result.deadLetters === 0,
      lagP99Ms: Math.round(result.lagMs.p99),
      unitsPerClick: round(result.unitsPerClick.committed + result.unitsPerClick.cancelled),
      dollarsPerMillion: round(await price(result)),
    })),
  );
}

const round = (value: number) => Number(value.toFixed(3));

/** The trials, the cheapest first, and the best for each goal. */
export function formatSweep({ trials, best }: Sweep): string[] {
  const lines = trials
    .toSorted((a, b) => a.dollarsPerMillion - b.dollarsPerMillion)
    .map(formatTrial);
  const winners = Object.entries(best).map(
    ([goal, trial]) => `cheapest with a lag below ${goal} s: ${formatTrial(trial)}`,
  );
  return [...lines, '', ...winners];
}

function formatTrial({ tuning, holds, lagP99Ms, unitsPerClick, dollarsPerMillion }: Trial): string {
  const { batchSize, batchWindowSeconds, maximumConcurrency, memoryMb } = tuning;
  return [
    `batch ${batchSize}, window ${batchWindowSeconds} s, concurrency ${maximumConcurrency}, ${memoryMb} MB`,
    `${dollarsPerMillion.toFixed(2)} $/million`,
    `${unitsPerClick.toFixed(2)} units`,
    holds ? `p99 ${(lagP99Ms / 1_000).toFixed(1)} s` : 'falls behind',
  ].join(' · ');
}
