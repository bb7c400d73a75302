import { conflictShare, type Observed, transactionsPerBatch, unitsPerClick } from './observed.ts';
import { type CheckRow, judge } from './row.ts';

/** The batches of a stage that were counted three times. */
export interface BatchComparison {
  /** The stage and its traffic. */
  name: string;
  /** On a real engine, one after another. */
  engine: Observed;
  /** In the model, one after another. */
  modelInTurn: Observed;
  /** In the model as the stage does it: side by side, with conflicts. */
  model: Observed;
}

const tolerance = 0.01;

/** How many transactions a conflict may add: the cancelled one may be packed into two others. */
const mostPerConflict = 2;

const figures = [
  ['write units a click', unitsPerClick, (model: Observed) => conflictShare(model)],
  [
    'transactions a batch',
    transactionsPerBatch,
    ({ conflicts }: Observed, { transactions }: Observed) =>
      (mostPerConflict * conflicts) / transactions,
  ],
] as const;

/** Judges what batches took, one after another and side by side. */
export function compareBatches(comparisons: readonly BatchComparison[]): CheckRow[] {
  return comparisons.flatMap((one) => [
    ...figures.map(([figure, read]) =>
      judge(toPair(one, `${figure}, one after another`, read, one.modelInTurn), { tolerance }),
    ),
    ...figures.map(([figure, read, upTo]) => {
      const reason = { words: explainConflicts(one), upTo: upTo(one.model, one.engine) };
      return judge(toPair(one, `${figure}, side by side`, read, one.model), { tolerance, reason });
    }),
  ]);
}

function toPair(
  { name, engine }: BatchComparison,
  figure: string,
  read: (observed: Observed) => number,
  model: Observed,
) {
  const pair = { subject: name, figure, unit: '', real: read(engine), model: read(model) };
  return { ...pair, part: 'batches' as const };
}

function explainConflicts({ model }: BatchComparison): string {
  const percent = Math.round(100 * conflictShare(model));
  return `in the model, ${percent} % of the transactions meet another, and what they held is packed again; the engine raises no conflicts`;
}
