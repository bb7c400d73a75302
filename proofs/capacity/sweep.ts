import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { formatLag } from './capacity-tables.ts';
import { runCells } from './pool.ts';
import type { Cell, Result, Tuning } from './result.ts';

/** The traffic for the sweep, and the stage whose other settings apply. */
const traffic = 'busy';
const stage = 'prod';
/** The stage must sustain this, too. */
const hotTraffic = 'viral';
/** The 99th percentiles of the lag must be below these. */
const goalMs = 5_000;
const hotGoalMs = 10_000;

const batchSizes = [100, 1_000, 10_000];
const windowsSeconds = [1, 2, 5, 30];
const concurrencies = [2, 5, 10];
const queueCounts = [1, 2, 4, 8];
/** Several queues are tried only with this concurrency, so that a sweep takes minutes. */
const lowConcurrency = 2;
/**
 * The share of its time that the usual traffic runs. The hot one runs in full, because its batches are
 * large.
 */
const share = 0.4;
/** Batches of this size are full before any window ends. */
const alwaysFull = 100;
const usualMemoryMb = 1_769;
const otherMemoriesMb = [512, 1_024];

type Swept = Required<Omit<Tuning, 'resolverMemoryMb'>>;

/** A setting and its result. The dollars include everything for a click through the API. */
export interface Trial {
  tuning: Swept;
  holds: boolean;
  lagP99Ms: number;
  unitsPerClick: number;
  dollarsPerMillion: number;
  /** Whether it sustains the hot link. Undefined if not tried. */
  holdsHot?: boolean;
  hotLagP99Ms?: number;
}

type Price = (result: Result) => Promise<number>;
type OnProgress = (addedPercent: number, cell: Cell) => void;

/**
 * Tries batch size × window × concurrency × queues, and then memory for the best of them, because
 * memory barely affects batches and write units. The cheapest for each number of queues and batch size
 * are also tried with the hot link.
 */
export async function sweep(price: Price, onProgress: OnProgress): Promise<Trial[]> {
  const first = await tryAll(listTunings(), price, onProgress);
  const tried = await tryHot(first, findContenders(first), onProgress);
  const { tuning } = findCheapestHot(tried);
  const varied = otherMemoriesMb.map((memoryMb) => ({ ...tuning, memoryMb }));
  const others = await tryAll(varied, price, onProgress);
  return [...tried, ...(await tryHot(others, others, onProgress))];
}

/** The maximum number of runs. */
export const trialCount =
  listTunings().length + queueCounts.length * batchSizes.length + 2 * otherMemoriesMb.length;

const sweepFile = new URL('sweep.jsonl', import.meta.url);

/** The trials of the last sweep. */
export function readSweep(): Trial[] {
  const lines = readFileSync(sweepFile, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

export async function writeSweep(trials: readonly Trial[]): Promise<void> {
  await writeFile(sweepFile, trials.map((trial) => `${JSON.stringify(trial)}\n`).join(''));
}

/** For a smaller difference in price, the setting with the lower lag is better. */
const priceTolerance = 0.05;

/**
 * The setting with the lowest lag among the cheapest ones with a lag below the goal.
 * @throws {Error} if no setting reaches the goal.
 */
export function findCheapest(trials: readonly Trial[]): Trial {
  const fit = trials.filter(reachesGoal);
  const lowest = Math.min(...fit.map(({ dollarsPerMillion }) => dollarsPerMillion));
  const [best] = fit
    .filter(({ dollarsPerMillion }) => dollarsPerMillion <= lowest * (1 + priceTolerance))
    .toSorted((a, b) => a.lagP99Ms - b.lagP99Ms);
  if (best) return best;
  throw new Error(`expected a setting with a lag below ${goalMs} ms; none of them has`);
}

/**
 * The cheapest setting that also sustains the hot link.
 * @throws {Error} if there is none.
 */
export function findCheapestHot(trials: readonly Trial[]): Trial {
  return findCheapest(trials.filter(reachesHot));
}

const reachesGoal = ({ holds, lagP99Ms }: Trial) => holds && lagP99Ms < goalMs;

const reachesHot = ({ holdsHot, hotLagP99Ms = Number.POSITIVE_INFINITY }: Trial) =>
  holdsHot === true && hotLagP99Ms < hotGoalMs;

/** The cheapest for each number of queues and batch size, if it reaches the goal. */
function findContenders(trials: readonly Trial[]): Trial[] {
  const groups = Object.groupBy(
    trials.filter(reachesGoal),
    ({ tuning }) => `${tuning.clickQueues} ${tuning.batchSize}`,
  );
  return Object.values(groups).map((group) => findCheapest(group ?? []));
}

function listTunings(): Swept[] {
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

async function tryAll(
  tunings: readonly Swept[],
  price: Price,
  onProgress: OnProgress,
): Promise<Trial[]> {
  const results = await runCells(
    tunings.map((tuning) => toCell(traffic, tuning, share)),
    onProgress,
  );
  return Promise.all(
    results.map(async (result, index) => ({
      tuning: tunings[index] as Swept,
      holds: result.holds && result.deadLetters === 0,
      lagP99Ms: Math.round(result.lagMs.p99),
      unitsPerClick: round(result.unitsPerClick.committed + result.unitsPerClick.cancelled),
      dollarsPerMillion: round(await price(result)),
    })),
  );
}

/** Tries some settings with the hot link. Returns all trials. */
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

function toCell(name: string, tuning: Swept, ofTime: number): Cell {
  return { stage, traffic: name, tuning, share: ofTime, approach: 'click-tally' };
}

const round = (value: number) => Number(value.toFixed(3));

const columns: Column<Trial>[] = [
  ['`clickQueues`', ({ tuning }) => `${tuning.clickQueues}`],
  ['`batchSize`', ({ tuning }) => tuning.batchSize.toLocaleString('en-US')],
  ['`batchWindowSeconds`', ({ tuning }) => `${tuning.batchWindowSeconds}`],
  ['`maximumConcurrency`', ({ tuning }) => `${tuning.maximumConcurrency}`],
  ['`aggregatorMemoryMb`', ({ tuning }) => tuning.memoryMb.toLocaleString('en-US')],
  ['lag, p99', (trial) => formatLag(trial, trial.lagP99Ms)],
  [
    'hot link: lag, p99',
    ({ holdsHot: holds = false, hotLagP99Ms = Number.NaN }) => formatLag({ holds }, hotLagP99Ms),
  ],
  ['write units a click', ({ unitsPerClick }) => unitsPerClick.toFixed(2)],
  ['$ a million', ({ dollarsPerMillion }) => dollarsPerMillion.toFixed(2)],
];

/** The best setting for each number of queues, preferably one that sustains the hot link. */
export function renderSweep(trials: readonly Trial[]): string {
  const best = queueCounts.map((count) => {
    const own = trials.filter(({ tuning }) => tuning.clickQueues === count);
    return own.some(reachesHot) ? findCheapestHot(own) : findCheapest(own);
  });
  return renderTable(columns, best);
}
