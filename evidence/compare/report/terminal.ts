import { styleText } from 'node:util';
import type { CellResult } from '../cell.ts';
import { approaches, type Effect, type Fault, faults } from '../names.ts';
import { classifyOutcome, describeOutcome, isExact, type Outcome } from './outcome.ts';

const colours = { exact: 'green', doubled: 'yellow', lost: 'red', dead: 'magenta' } as const;
const gap = '  ';

/** Renders the matrices as text, in colours if the terminal has them. */
export function renderTables(results: CellResult[]): string {
  return [
    renderMatrix(results, 'count', 'Counted'),
    renderMatrix(results, 'charge', 'Charged without a key'),
    renderMatrix(results, 'charge-with-key', 'Charged with a key'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function renderMatrix(all: CellResult[], effect: Effect, title: string): string {
  const results = all.filter((result) => result.effect === effect);
  if (results.length === 0) return '';
  const shown = approaches.filter((name) => results.some(({ approach }) => approach === name));
  const numbered = shown.map((name) => `${approaches.indexOf(name) + 1} ${name}`);
  const rows = (Object.keys(faults) as Fault[]).flatMap((fault) => {
    const cells = shown.map((name) =>
      results.find((result) => result.fault === fault && result.approach === name),
    );
    if (!cells.some(Boolean)) return [];
    return [[fault, ...cells.map((cell) => (cell ? show(cell) : ''))]];
  });
  const table = [['', ...shown.map((name) => `${approaches.indexOf(name) + 1}`)], ...rows];
  const outcomes = findOutcomes(results);
  return [styleText('bold', title), numbered.join(' · '), ...align(table, outcomes)].join('\n');
}

function show(result: CellResult): string {
  return isExact(result) ? '✓' : describeOutcome(result);
}

function findOutcomes(results: CellResult[]): Map<string, Outcome> {
  return new Map(results.map((result) => [show(result), classifyOutcome(result)]));
}

/** Pads each column to its widest cell, and then adds the colours, which have no width. */
function align(rows: string[][], outcomes: Map<string, Outcome>): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const padded = column === 0 ? cell.padEnd(width) : cell.padStart(width);
        const outcome = column === 0 ? undefined : outcomes.get(cell);
        return outcome ? styleText(colours[outcome], padded) : padded;
      })
      .join(gap)
      .trimEnd(),
  );
}
