import { styleText } from 'node:util';
import type { CellResult } from '../cell.ts';
import { approaches, type Effect, type Fault, faults } from '../names.ts';
import { chooseTone, costPerMillion, describeVerdict, isExact, type Tone } from './outcome.ts';

const colours = { exact: 'green', doubled: 'yellow', lost: 'red', dead: 'magenta' } as const;
const gap = '  ';

/** The matrices and the costs as text, in colours where the terminal has them. */
export function renderTables(results: CellResult[], price: number): string {
  return [
    renderMatrix(results, 'count', 'Counted'),
    renderMatrix(results, 'charge', 'Charged, without a key'),
    renderMatrix(results, 'charge-with-key', 'Charged, with the key passed on'),
    renderCosts(results, price),
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

function renderCosts(all: CellResult[], price: number): string {
  const results = all.filter(({ fault, effect }) => fault === 'none' && effect === 'count');
  if (results.length === 0) return '';
  const head = ['', 'write units', 'requests', '$ per million', 'p50 ms', 'p99 ms'];
  const rows = results.map((result) => [
    result.approach,
    ...[result.writeUnitsPerClick, result.requestsPerClick].map((value) => value.toFixed(2)),
    costPerMillion(result, price).toFixed(2),
    ...[result.p50Ms, result.p99Ms].map((value) => value.toFixed(1)),
  ]);
  const title = styleText('bold', 'Cost per click, and time per batch, where nothing goes wrong');
  return [title, ...align([head, ...rows], new Map())].join('\n');
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
