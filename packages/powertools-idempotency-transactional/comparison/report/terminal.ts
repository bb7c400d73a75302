import { styleText } from 'node:util';
import type { Behaviour, Verdict } from '../behaviour.ts';
import type { Row, Run, Surprise } from '../run.ts';
import { countVerdicts, describeObservation } from './describe.ts';

const colours = { same: 'dim', better: 'green', different: 'yellow', worse: 'red' } as const;
const verdictWidth = 9;

/** Renders the behaviours under their headings. */
export function renderBehaviours(
  groups: [heading: string, members: Behaviour[]][],
  rows: Row[],
): string {
  const blocks = groups.flatMap(([heading, members]) => [
    styleText('bold', heading),
    ...rows.filter(({ behaviour }) => members.includes(behaviour)).map(renderRow),
  ]);
  const legend =
    'In parentheses: what is booked then. Behind a plus: the units of refused writes, by the price list of AWS.';
  return [...blocks, legend, `${rows.length} behaviours: ${countVerdicts(rows)}.`].join('\n\n');
}

function renderRow({ behaviour, stock, ours }: Row): string {
  const { name, title, due, verdict, why } = behaviour;
  return [
    `${paint(verdict)} ${styleText('bold', name)}: ${title.replaceAll('`', '')} Due: ${due}.`,
    `          stock  ${describeObservation(stock)}`,
    `          ours   ${describeObservation(ours)}`,
    `          ${why.replaceAll('`', '')}`,
  ].join('\n');
}

function paint(verdict: Verdict): string {
  return styleText(colours[verdict], verdict.padEnd(verdictWidth));
}

/** Says whether a run was as recorded, and lists what was not. */
export function renderJudgement({ engine, rows }: Run, surprises: Surprise[]): string {
  if (surprises.length === 0) {
    return styleText('green', `${engine}: all ${rows.length} behaviours are as recorded.`);
  }
  const lines = surprises.map(
    ({ name, side, recorded, observed }) =>
      `  ${name}, ${side}: expected ${describeObservation(recorded)}; got ${describeObservation(observed)}`,
  );
  const head = styleText(
    'red',
    `${engine}: not as recorded in packages/powertools-idempotency-transactional/comparison/behaviours/:`,
  );
  return [head, ...lines].join('\n');
}
