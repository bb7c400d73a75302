import { clicksPerBatch, conflictShare, type Timed, unitsPerClick } from './observed.ts';
import { type CheckRow, judge, type Pair, type Reason } from './row.ts';

/** A traffic that the local stack and the model have counted. */
export interface StackComparison {
  traffic: string;
  stack: Timed;
  model: Timed;
  /** The model with invocations as long as the stack's; undefined if the stack's are shorter. */
  slowModel: Timed | undefined;
  /** What the model took for the very batches that the stack formed. */
  modelOfStackBatches: Timed;
}

const tolerances = { batch: 0.1, units: 0.05, exact: 0.01, lag: 0.1, slow: 0.2 };
/** By how much a batch may be larger or smaller than the lengths of invocations explain. */
const batchSlack = 1.4;

/** Judges the figures of all traffics, and their order. */
export function compareStack(comparisons: readonly StackComparison[]): CheckRow[] {
  return [
    ...comparisons.flatMap((one) => [
      judgeBatches(one),
      ...judgeSlowBatches(one),
      judgeUnits(one),
      judgeStackBatches(one),
      judgeConflicts(one),
      ...judgeLags(one),
    ]),
    judgeOrder('clicks a batch', clicksPerBatch, tolerances.batch, comparisons),
    judgeOrder(
      "clicks a batch, with invocations as long as the stack's",
      clicksPerBatch,
      tolerances.batch,
      comparisons.map((one) => ({ ...one, model: one.slowModel ?? one.model })),
    ),
    judgeOrder('write units a click', unitsPerClick, tolerances.units, comparisons),
  ];
}

function pairOf(
  { traffic, stack, model }: Pick<StackComparison, 'traffic' | 'stack' | 'model'>,
  figure: string,
  read: (observed: Timed) => number,
): Pair {
  const [real, modelled] = [read(stack), read(model)];
  return { part: 'stack', subject: traffic, figure, unit: '', real, model: modelled };
}

// While an invocation runs, clicks gather for the next one. So batches grow with its length, at most in
// proportion.
function judgeBatches(one: StackComparison): CheckRow {
  const pair = pairOf(one, 'clicks a batch', clicksPerBatch);
  const lengths = one.model.invocationMs / one.stack.invocationMs;
  const isExplained = isBetween(pair.model / pair.real, lengths, batchSlack);
  const [stackMs, modelMs] = [one.stack, one.model].map((each) => Math.round(each.invocationMs));
  const words = `an invocation takes ${stackMs} ms on this machine and ${modelMs} ms in the model; more clicks wait for the next after a longer one`;
  return judge(pair, { tolerance: tolerances.batch, reason: explain(words, isExplained) });
}

function judgeSlowBatches(one: StackComparison): CheckRow[] {
  if (!one.slowModel) return [];
  const figure = "clicks a batch, with invocations as long as the stack's";
  const pair = pairOf({ ...one, model: one.slowModel }, figure, clicksPerBatch);
  return [judge(pair, { tolerance: tolerances.slow })];
}

// A click takes fewer units in a larger batch, but the larger batch never takes fewer units in all.
function judgeUnits(one: StackComparison): CheckRow {
  const pair = pairOf(one, 'write units a click', unitsPerClick);
  const sizes = clicksPerBatch(one.stack) / clicksPerBatch(one.model);
  const isExplained = isBetween(pair.model / pair.real, sizes, 1 + tolerances.units);
  const compared = sizes > 1 ? 'smaller' : 'larger';
  const words = `the model's batches are ${compared}`;
  return judge(pair, { tolerance: tolerances.units, reason: explain(words, isExplained) });
}

function judgeStackBatches({ traffic, stack, modelOfStackBatches }: StackComparison): CheckRow {
  const pair = pairOf(
    { traffic, stack, model: modelOfStackBatches },
    "write units a click, of the stack's own batches",
    unitsPerClick,
  );
  return judge(pair, { tolerance: tolerances.exact });
}

function judgeConflicts(one: StackComparison): CheckRow {
  const percent = (observed: Timed) => 100 * conflictShare(observed);
  const pair = { ...pairOf(one, 'share of conflicts', percent), unit: '%' };
  if (pair.real > 0 || pair.model === 0) return judge(pair, { tolerance: tolerances.exact });
  return { ...pair, verdict: 'deviates', words: 'the local engine raises no conflicts' };
}

function judgeLags(one: StackComparison): CheckRow[] {
  const words =
    "this machine and its load, against published durations, cold starts and conflicts; both without AWS's bus";
  const p50 = { ...pairOf(one, 'lag, p50', ({ lagMs }) => lagMs.p50), unit: 'ms' };
  const p99 = { ...pairOf(one, 'lag, p99', ({ lagMs }) => lagMs.p99), unit: 'ms' };
  return [p50, p99].map((pair) =>
    judge(pair, { tolerance: tolerances.lag, reason: explain(words) }),
  );
}

function explain(words: string, isExplained = true): Reason | undefined {
  return isExplained ? { words, upTo: Number.POSITIVE_INFINITY } : undefined;
}

/** Whether stack and model put the traffics in the same order; two that are almost equal have none. */
function judgeOrder(
  figure: string,
  read: (observed: Timed) => number,
  tolerance: number,
  comparisons: readonly StackComparison[],
): CheckRow {
  const reversed = pairsOf(comparisons).filter(([a, b]) => {
    const real = read(a.stack) / read(b.stack);
    const model = read(a.model) / read(b.model);
    return isApart(real, tolerance) && isApart(model, tolerance) && real > 1 !== model > 1;
  });
  const row: Omit<CheckRow, 'verdict' | 'words'> = {
    part: 'stack',
    ...{ subject: 'all traffics', figure: `their order by ${figure}` },
    ...{ unit: '', real: undefined, model: undefined },
  };
  if (reversed.length === 0) return { ...row, verdict: 'agrees', words: '' };
  const names = reversed.map(([a, b]) => `${a.traffic} and ${b.traffic}`).join('; ');
  if (!reversed.every(isLengthReversed)) {
    return { ...row, verdict: 'unexplained', words: `reversed, and no reason is known: ${names}` };
  }
  const words = `reversed, as the lengths of their invocations are on this machine: ${names}`;
  return { ...row, verdict: 'deviates', words };
}

type Two = readonly [StackComparison, StackComparison];

function pairsOf(comparisons: readonly StackComparison[]): Two[] {
  return comparisons.flatMap((a, index) => comparisons.slice(index + 1).map((b): Two => [a, b]));
}

function isLengthReversed([a, b]: Two): boolean {
  return (
    a.stack.invocationMs > b.stack.invocationMs !== a.model.invocationMs > b.model.invocationMs
  );
}

function isApart(ratio: number, tolerance: number): boolean {
  return Math.abs(Math.log(ratio)) > Math.log(1 + tolerance);
}

/** Whether a ratio lies between 1 and another one, both widened by a factor. */
function isBetween(ratio: number, other: number, factor: number): boolean {
  return ratio >= Math.min(1, other) / factor && ratio <= Math.max(1, other) * factor;
}
