import { runCells } from './pool.ts';
import type { Cell, Result, Tuning } from './result.ts';

/** The traffic that decides the settings, and the stage whose other settings apply. */
const traffic = 'busy';
const stage = 'prod';
/** What the stage must hold as well, with a lag below this. */
const hotTraffic = 'viral';
const hotGoalSeconds = 10;

const batchSizes = [100, 1_000, 10_000];
const windowsSeconds = [1, 2, 5, 30];
const concurrencies = [2, 5, 10];
const queueCounts = [1, 2, 4, 8];
/** Several queues are tried with this concurrency only, so that a sweep takes minutes. */
const lowConcurrency = 2;
/**
 * The share of its time that the usual traffic runs. The hot one runs for all of it, because its
 * batches are large.
 */
const share = 0.4;
/** Batches of so few are full before any window ends. */
const alwaysFull = 100;
const usualMemoryMb = 1_769;
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
  /** Whether it holds the hot link too; undefined if that was not tried. */
  holdsHot?: boolean;
  hotLagP99Ms?: number;
}

export interface Sweep {
  traffic: string;
  hotTraffic: string;
  stage: string;
  /** The cheapest setting with a 99th percentile of the lag below each goal, by the goal in seconds. */
  best: Record<string, Trial>;
  /** The cheapest below the first goal that holds the hot link too. */
  bestHot: Trial;
  trials: Trial[];
}

type Price = (result: Result) => Promise<number>;
type OnProgress = (addedPercent: number, cell: Cell) => void;

/**
 * Tries batch size × window × concurrency × queues, and then memory for the best of them, because
 * memory changes neither batches nor write units much. Those that are the cheapest for their number
 * of queues and batch size also count the hot link.
 */
export async function sweep(price: Price, onProgress: OnProgress): Promise<Sweep> {
  const first = await tryAll(listTunings(), price, onProgress);
  const [goal] = goalsSeconds;
  const tried = await tryHot(first, findContenders(first, goal), onProgress);
  const hot = findCheapestHot(tried, goal);
  const winners = [hot, ...goalsSeconds.map((one) => findCheapest(tried, one))];
  const others = await tryAll(varyMemory(winners.map(({ tuning }) => tuning)), price, onProgress);
  const rivals = others.filter(({ tuning }) => tuning.clickQueues === hot.tuning.clickQueues);
  const trials = [...tried, ...(await tryHot(others, rivals, onProgress))];
  const best = goalsSeconds.map((one) => [one, findCheapest(trials, one)]);
  return {
    ...{ traffic, hotTraffic, stage, trials },
    best: Object.fromEntries(best),
    bestHot: findCheapestHot(trials, goal),
  };
}

/** Where the last sweep is recorded. */
export const sweepFile = new URL('sweep.json', import.meta.url);

/** How many runs there are at most. */
export const trialCount =
  listTunings().length +
  queueCounts.length * batchSizes.length +
  2 * (goalsSeconds.length + 1) * (memoriesMb.length - 1);

/** Prices that differ by less say nothing. */
const priceTolerance = 0.01;

/**
 * Of the settings with the lowest price, the one with the lowest lag.
 * @throws {Error} if no setting keeps the lag below the goal.
 */
export function findCheapest(trials: readonly Trial[], goalSeconds: number): Trial {
  const fit = trials.filter((trial) => reaches(trial, goalSeconds));
  const lowest = Math.min(...fit.map(({ dollarsPerMillion }) => dollarsPerMillion));
  const [best] = fit
    .filter(({ dollarsPerMillion }) => dollarsPerMillion <= lowest * (1 + priceTolerance))
    .toSorted((a, b) => a.lagP99Ms - b.lagP99Ms);
  if (best) return best;
  throw new Error(`expected a setting with a lag below ${goalSeconds} s; none of them has`);
}

function reaches({ holds, lagP99Ms }: Trial, goalSeconds: number): boolean {
  return holds && lagP99Ms < goalSeconds * 1_000;
}

/**
 * The cheapest of those that hold the hot link too.
 * @throws {Error} if none of them does.
 */
export function findCheapestHot(trials: readonly Trial[], goalSeconds: number): Trial {
  return findCheapest(
    trials.filter(
      ({ holdsHot, hotLagP99Ms = Number.POSITIVE_INFINITY }) =>
        holdsHot && hotLagP99Ms < hotGoalSeconds * 1_000,
    ),
    goalSeconds,
  );
}

/** The cheapest for each number of queues and batch size, if it reaches the goal. */
function findContenders(trials: readonly Trial[], goalSeconds: number): Trial[] {
  const groups = Object.groupBy(
    trials.filter((trial) => reaches(trial, goalSeconds)),
    ({ tuning }) => `${tuning.clickQueues} ${tuning.batchSize}`,
  );
  return Object.values(groups).map((group) => findCheapest(group ?? [], goalSeconds));
}

function listTunings(): Required<Tuning>[] {
  return queueCounts.flatMap((clickQueues) =>
    batchSizes.flatMap((batchSize) =>
      windowsOf(batchSize).flatMap((batchWindowSeconds) =>
        concurrencies
          .filter((one) => clickQueues === 1 || one === lowConcurrency)
          .map((maximumConcurrency) => ({
            ...{ batchSize, batchWindowSeconds, maximumConcurrency, clickQueues },
            memoryMb: usualMemoryMb,
          })),
      ),
    ),
  );
}

function windowsOf(batchSize: number): number[] {
  return batchSize === alwaysFull ? windowsSeconds.slice(0, 1) : windowsSeconds;
}

function varyMemory(tunings: Required<Tuning>[]): Required<Tuning>[] {
  const unique = [...new Map(tunings.map((one) => [JSON.stringify(one), one])).values()];
  return unique.flatMap((tuning) =>
    memoriesMb
      .filter((memoryMb) => memoryMb !== usualMemoryMb)
      .map((memoryMb) => ({ ...tuning, memoryMb })),
  );
}

async function tryAll(
  tunings: readonly Required<Tuning>[],
  price: Price,
  onProgress: OnProgress,
): Promise<Trial[]> {
  const results = await runCells(
    tunings.map((tuning) => toCell(traffic, tuning, share)),
    onProgress,
  );
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

/** Gives some of the trials the hot link; returns all of them. */
async function tryHot(
  trials: readonly Trial[],
  chosen: readonly Trial[],
  onProgress: OnProgress,
): Promise<Trial[]> {
  const results = await runCells(
    chosen.map(({ tuning }) => toCell(hotTraffic, tuning, 1)),
    onProgress,
  );
  return trials.map((trial) => {
    const result = results[chosen.indexOf(trial)];
    if (!result) return trial;
    return { ...trial, holdsHot: result.holds, hotLagP99Ms: Math.round(result.lagMs.p99) };
  });
}

function toCell(name: string, tuning: Required<Tuning>, ofTime: number): Cell {
  return { stage, traffic: name, tuning, share: ofTime, approach: 'click-tally' };
}

const round = (value: number) => Number(value.toFixed(3));

/** The trials, the cheapest first, and the best for each goal. */
export function formatSweep({ trials, best, bestHot }: Sweep): string[] {
  const lines = trials
    .toSorted((a, b) => a.dollarsPerMillion - b.dollarsPerMillion)
    .map(formatTrial);
  const winners = Object.entries(best).map(
    ([goal, trial]) => `cheapest with a lag below ${goal} s: ${formatTrial(trial)}`,
  );
  const [goal] = goalsSeconds;
  const hot = `cheapest with a lag below ${goal} s that holds the hot link: ${formatTrial(bestHot)}`;
  return [...lines, '', ...winners, hot];
}

function formatTrial(trial: Trial): string {
  const { tuning, holds, lagP99Ms, unitsPerClick, dollarsPerMillion } = trial;
  const { batchSize, batchWindowSeconds, maximumConcurrency, clickQueues, memoryMb } = tuning;
  const queues = clickQueues === 1 ? '1 queue' : `${clickQueues} queues`;
  return [
    `${queues}, batch ${batchSize}, window ${batchWindowSeconds} s, concurrency ${maximumConcurrency}, ${memoryMb} MB`,
    `${dollarsPerMillion.toFixed(2)} $/million`,
    `${unitsPerClick.toFixed(2)} units`,
    formatLag(holds, lagP99Ms),
    ...(trial.holdsHot === undefined
      ? []
      : [`hot link: ${formatLag(trial.holdsHot, trial.hotLagP99Ms)}`]),
  ].join(' · ');
}

function formatLag(holds: boolean, lagP99Ms = Number.NaN): string {
  return holds ? `p99 ${(lagP99Ms / 1_000).toFixed(1)} s` : 'falls behind';
}
