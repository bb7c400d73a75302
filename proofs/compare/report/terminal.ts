import { styleText } from 'node:util';
import type { CellResult } from '../cell.ts';
import { approaches, faults } from '../names.ts';
import { explain, remarks } from './explanations.ts';
import { classifyOutcome, describeOutcome, isExact } from './outcome.ts';

const colours = { exact: 'green', doubled: 'yellow', lost: 'red', dead: 'magenta' } as const;

/** A summary of each approach, and why its cells fail. */
export function renderReasons(results: CellResult[]): string {
  return approaches
    .flatMap((name) => {
      const own = results.filter(({ approach }) => approach === name);
      if (own.length === 0) return [];
      const reasons = Map.groupBy(
        own.filter((result) => !isExact(result)),
        explain,
      );
      const lines = [...reasons].map(([reason, cells]) => {
        const failing = new Set(cells.map(({ fault }) => fault));
        return `  ${[...failing].join(', ')}: ${reason}`;
      });
      return [`${styleText('bold', name)}: ${remarks[name]}`, ...lines];
    })
    .join('\n');
}

/** Renders the results as text, in colour if the terminal supports it, without empty rows and columns. */
export function renderMatrix(results: CellResult[]): string {
  const shown = approaches.filter((name) => results.some(({ approach }) => approach === name));
  const rows = faults
    .map((fault) => ({ fault, inRow: results.filter((result) => result.fault === fault) }))
    .filter(({ inRow }) => inRow.length > 0)
    .map(({ fault, inRow }) => ({
      fault,
      cells: shown.map((name) => inRow.find(({ approach }) => approach === name)),
    }));
  const numbers = shown.map((name) => String(approaches.indexOf(name) + 1));
  const legend = shown.map((name, column) => `${numbers[column]} ${name}`).join(' · ');
  const faultWidth = Math.max(...rows.map(({ fault }) => fault.length));
  const widths = numbers.map((number, column) =>
    Math.max(number.length, ...rows.map(({ cells }) => describeCell(cells[column]).length)),
  );
  const renderRow = (head: string, cells: string[]) =>
    [head.padEnd(faultWidth), ...cells].join('  ').trimEnd();
  const lines = rows.map(({ fault, cells }) =>
    renderRow(
      fault,
      cells.map((cell, column) => renderCell(cell, widths[column])),
    ),
  );
  const head = numbers.map((number, column) => number.padStart(widths[column] ?? 0));
  return [legend, renderRow('', head), ...lines].join('\n');
}

function renderCell(cell: CellResult | undefined, width = 0): string {
  const padded = describeCell(cell).padStart(width);
  return cell ? styleText(colours[classifyOutcome(cell)], padded) : padded;
}

function describeCell(cell: CellResult | undefined): string {
  if (!cell) return '';
  return isExact(cell) ? '✓' : describeOutcome(cell);
}
