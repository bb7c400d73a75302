import type { Part } from '../costs.ts';
import { sumDollars } from '../pricing.ts';
import { formatCount, formatShare } from '../report.ts';
import { type Column, renderTable } from './markdown.ts';
import type { Run } from './read-runs.ts';

/** How the page calls whose code counts. */
export const approachNames: Readonly<Record<Run['approach'], string>> = {
  'click-tally': 'click-tally',
  'hand-rolled': 'hand-rolled transaction',
  stock: 'stock Powertools',
};

const stage: Column<Run> = ['stage', (run) => run.stage, 'words'];
const traffic: Column<Run> = ['traffic', (run) => run.traffic, 'words'];
const approach: Column<Run> = ['counted by', (run) => approachNames[run.approach], 'words'];
const offered: Column<Run> = ['clicks a second', (run) => formatCount(run.offeredPerSecond)];
const held: Column<Run> = ['held', formatHeld];
const p99: Column<Run> = ['lag, p99', (run) => formatLag(run, run.lagMs.p99)];
const units: Column<Run> = ['write units a click', formatUnits];
/** No traffic has duplicates, so what is taken for one is lost. */
const lost: Column<Run> = ['lost', (run) => formatShare(run.duplicateShare)];
const conflicts: Column<Run> = ['conflicts', (run) => formatShare(run.conflictShare)];
const batch: Column<Run> = ['clicks a batch', (run) => formatFigure(run.clicksPerBatch)];
const running: Column<Run> = ['running (most)', formatRunning];
const throughApi: Column<Run> = [
  '$ a million',
  ({ dollars }) => formatDollars(dollars?.throughApi),
];
const saturates: Column<Run> = ['saturates first', (run) => run.saturatesFirst, 'words'];

const heldColumns: Column<Run>[] = [
  ...[stage, traffic, offered, held],
  ['lag, p50', (run) => formatLag(run, run.lagMs.p50)],
  p99,
  ['worst', (run) => formatLag(run, run.lagMs.worst)],
  ['most waiting', (run) => formatCount(run.depth.max)],
  ['drained after', formatDrained],
  ['dead letters', (run) => formatCount(run.deadLetters)],
];
const costColumns: Column<Run>[] = [
  ...[stage, traffic, units],
  ['of them cancelled', (run) => run.unitsPerClick.cancelled.toFixed(2)],
  ...[conflicts, batch, running, throughApi],
  ['$ on the bus', ({ dollars }) => formatDollars(dollars?.onBus)],
  saturates,
];
const otherColumns: Column<Run>[] = [
  ...[traffic, approach, held, lost, p99, units, conflicts, batch, running, throughApi, saturates],
];

/** What each stage held of each traffic, and how fast. */
export function renderHeld(runs: readonly Run[]): string {
  return renderTable(heldColumns, runs.filter(isOwn));
}

/** What prod holds with other settings. */
export function renderRaised(runs: readonly Run[]): string {
  const settings: Column<Run> = ['with', ({ tuning = {} }) => describeTuning(tuning), 'words'];
  return renderTable(
    [settings, ...heldColumns, units, conflicts, throughApi],
    runs.filter(isRaised),
  );
}

/** How much of what stands before the queue each traffic takes. */
export function renderFront(runs: readonly Run[]): string {
  const own = runs.filter(isOwn);
  const columns = (own[0]?.front ?? []).map(({ part }, index): Column<Run> => {
    return [part, ({ front }) => formatUse(front[index]?.share ?? 0)];
  });
  return renderTable([stage, traffic, ...columns], own);
}

/** Bold if it is more than there is. */
function formatUse(share: number): string {
  const text = `${formatCount(100 * share)} %`;
  return share > 1 ? `**${text}**` : text;
}

/** What each stage cost, and what saturates first. */
export function renderCosts(runs: readonly Run[]): string {
  return renderTable(costColumns, runs.filter(isOwn));
}

/** The traffics that others counted too, and the settings of those. */
export function renderOthers(runs: readonly Run[]): string {
  const others = runs.filter(isOther);
  const compared = runs.filter(
    (run) => !isRaised(run) && others.some((other) => isRival(run, other)),
  );
  const tunings = new Set(others.map(({ tuning = {} }) => describeTuning(tuning)));
  return `${renderTable(otherColumns, sortByTraffic(compared))}\n\nThe others have ${[...tunings].join('; ')}.`;
}

/** With the settings that the stage has. */
export const isOwn = (run: Run) => !isOther(run) && !run.tuning;

/** With other settings. */
export const isRaised = (run: Run) => !isOther(run) && !!run.tuning;

/** Counted by the code of others. */
export const isOther = (run: Run) => run.approach !== 'click-tally';

const isRival = (run: Run, other: Run) =>
  run.stage === other.stage && run.traffic === other.traffic;

/** Keeps the order of the traffics, and within each that of the runs. */
export function sortByTraffic(runs: readonly Run[]): Run[] {
  return Object.values(Object.groupBy(runs, (run) => run.traffic)).flatMap((some) => some ?? []);
}

function describeTuning(tuning: Readonly<Record<string, number>>): string {
  return Object.entries(tuning)
    .map(([name, value]) => `\`${name}\` ${formatCount(value)}`)
    .join(', ');
}

function formatHeld({ holds, countedPerSecond }: Run): string {
  return holds ? 'all' : formatCount(countedPerSecond);
}

/** The lag of a stage that falls behind grows, so it is more than what was measured. */
export function formatLag({ holds }: Pick<Run, 'holds'>, ms: number): string {
  if (Number.isNaN(ms)) return '–';
  return `${holds ? '' : '> '}${formatCount(ms / 1_000)} s`;
}

/** The sum of all parts, or a dash if no click was counted. */
function formatDollars(parts: readonly Part[] | undefined): string {
  return parts ? sumDollars(parts).toFixed(2) : '–';
}

function formatUnits({ unitsPerClick: { committed, cancelled } }: Run): string {
  return (committed + cancelled).toFixed(2);
}

function formatRunning({ concurrency: { mean, max } }: Run): string {
  return `${mean.toFixed(1)} (${max})`;
}

function formatDrained({ drainSeconds }: Run): string {
  return drainSeconds === undefined ? '' : `${formatCount(drainSeconds)} s`;
}

function formatFigure(value: number): string {
  return Number.isNaN(value) ? '–' : formatCount(value);
}
