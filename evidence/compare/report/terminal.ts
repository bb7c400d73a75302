import { styleText } from 'node:util';
import type { CellResult } from '../cell.ts';
import { approaches, type Effect, type Fault, faults } from '../names.ts';
import { chooseTone, describeVerdict, isExact, type Tone } from './outcome.ts';

const colours = { exact: 'green', doubled: 'yellow', lost: 'red', dead: 'magenta' } as const;
const gap = '  ';

/** The matrices as text, in colours where the terminal has them. */
export function renderTables(results: CellResult[]): string {
  return [
    renderMatrix(results, 'count', 'Counted'),
    renderMatrix(results, 'charge', 'Charged, without a key'),
    renderMatrix(results, 'charge-with-key', 'Charged, with the key passed on'),
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
  const tones = cellTones(results);
  return [styleText('bold', title), numbered.join(' · '), ...align(table, tones)].join('\n');
}

function show(result: CellResult): string {
  return isExact(result) ? '✓' : describeVerdict(result);
}

function cellTones(results: CellResult[]): Map<string, Tone> {
  return new Map(results.map((result) => [show(result), chooseTone(result)]));
}

/** Pads each column to its widest cell, and colours after that, since colours have no width. */
function align(rows: string[][], tones: Map<string, Tone>): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        const padded = column === 0 ? cell.padEnd(width) : cell.padStart(width);
        const tone = column === 0 ? undefined : tones.get(cell);
        return tone ? styleText(colours[tone], padded) : padded;
      })
      .join(gap)
      .trimEnd(),
  );
}
