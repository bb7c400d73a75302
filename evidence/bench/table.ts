import { styleText } from 'node:util';
import type { Measurement } from './measurement.ts';

const columns: [title: string, read: (m: Measurement, base: Measurement | undefined) => string][] =
  [
    ['links', (m) => String(m.links)],
    ['batch', (m) => String(m.batch)],
    ['approach', (m) => m.approach],
    ['units/click', (m) => m.writeUnitsPerClick.toFixed(2)],
    ['requests/click', (m) => m.requestsPerClick.toFixed(3)],
    ['clicks/s', (m) => m.clicksPerSecond.toFixed(0)],
    [
      '÷ hand-rolled',
      (m, base) => (base ? (m.clicksPerSecond / base.clicksPerSecond).toFixed(2) : ''),
    ],
    ['p50 ms', (m) => m.p50Ms.toFixed(1)],
    ['p99 ms', (m) => m.p99Ms.toFixed(1)],
    ['exact', (m) => (m.exact ? 'yes' : 'NO')],
  ];

/** Formats the measurements as a table, with a block for each scenario. */
export function formatTable(measurements: Measurement[]): string {
  const rows = measurements.map((m) => {
    const isBase = (other: Measurement) =>
      other.approach === 'hand-rolled' && other.links === m.links && other.batch === m.batch;
    return columns.map(([, read]) => read(m, measurements.find(isBase)));
  });
  const titles = columns.map(([title]) => title);
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const format = (row: string[]) =>
    row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ');
  const lines = rows.map((row) =>
    row[2] === 'click-tally' ? `${styleText('bold', format(row))}\n` : format(row),
  );
  return [styleText('dim', format(titles)), ...lines].join('\n');
}
