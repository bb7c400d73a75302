import { readFileSync } from 'node:fs';
import { CommandError } from '../../../cli/terminal/command-error.ts';
import { readStage, type StageSettings } from '../stage.ts';
import { goalsSeconds, type Sweep, sweepFile, type Trial } from '../sweep.ts';
import { type Column, renderTable } from './markdown.ts';
import { formatLag } from './runs.ts';

interface Line {
  name: string;
  trial: Trial;
}

const columns: Column<Line>[] = [
  ['', ({ name }) => name, 'words'],
  ['`clickQueues`', ({ trial }) => `${trial.tuning.clickQueues}`],
  ['`batchSize`', ({ trial }) => trial.tuning.batchSize.toLocaleString('en-US')],
  ['`batchWindowSeconds`', ({ trial }) => `${trial.tuning.batchWindowSeconds}`],
  ['`maximumConcurrency`', ({ trial }) => `${trial.tuning.maximumConcurrency}`],
  ['`aggregatorMemoryMb`', ({ trial }) => trial.tuning.memoryMb.toLocaleString('en-US')],
  ['lag, p99', ({ trial }) => formatLag(trial, trial.lagP99Ms)],
  ['hot link: lag, p99', ({ trial }) => formatHotLag(trial)],
  ['write units a click', ({ trial }) => trial.unitsPerClick.toFixed(2)],
  ['$ a million', ({ trial }) => trial.dollarsPerMillion.toFixed(2)],
];

/** The cheapest setting below each goal and, if it was tried, what the stage has now. */
export function renderSweep(
  { best, bestHot, trials, stage }: Sweep,
  settings: StageSettings = readStage(stage),
): string {
  const lines = Object.entries(best).map(([goal, trial]) => ({
    ...{ name: `the cheapest below ${goal} s`, trial },
  }));
  const [goal] = goalsSeconds;
  const hot = { name: `the cheapest below ${goal} s that holds the hot link`, trial: bestHot };
  const current = trials.find(({ tuning }) => isSet(tuning, settings));
  return renderTable(columns, [
    ...[...lines, hot],
    ...(current ? [{ name: `${stage} as it is`, trial: current }] : []),
  ]);
}

function formatHotLag({ holdsHot, hotLagP99Ms }: Trial): string {
  if (holdsHot === undefined || hotLagP99Ms === undefined) return '';
  return formatLag({ holds: holdsHot }, hotLagP99Ms);
}

function isSet(tuning: Trial['tuning'], settings: StageSettings): boolean {
  return (
    tuning.batchSize === settings.batchSize &&
    tuning.batchWindowSeconds * 1_000 === settings.batchWindowMs &&
    tuning.maximumConcurrency === settings.maximumConcurrency &&
    tuning.clickQueues === settings.clickQueues &&
    tuning.memoryMb === settings.memoryMb
  );
}

/** @throws {CommandError} if no sweep is recorded. */
export function readSweep(): Sweep {
  try {
    return JSON.parse(readFileSync(sweepFile, 'utf8'));
  } catch (error) {
    throw new CommandError(
      `Expected a sweep in ${sweepFile.pathname}; got ${error}. Make one with: npm --prefix proofs run capacity -- --sweep`,
    );
  }
}
