import { boundaries, crashKey, crashPoints, failureKey, failures } from './fault-kinds.ts';
import type { Totals } from './statistics.ts';

/** The results of all worlds of a run. */
export interface Summary {
  seeds: number;
  seconds: number;
  violations: number;
  totals: Totals;
}

const sums = [
  'deliveries',
  'duplicates',
  'batches',
  'instances',
  'deleted',
  'dead letters',
  'redriven',
  'conflicts',
  'throttled',
  'token replays',
  'freezes',
  'deploys',
];

/** The summary as text: sums, and tables of the failures. */
export function formatSummary({ seeds, seconds, violations, totals }: Summary): string {
  const of = (name: string) => totals[name] ?? 0;
  const rate = Math.round(of('deliveries') / seconds);
  const share = ((100 * of('duplicates')) / of('deliveries')).toFixed(1);
  return [
    `${count(seeds)} worlds in ${seconds.toFixed(0)} s, ${count(rate)} deliveries a second`,
    '',
    ...sums.map((name) => `${name.padEnd(16)} ${count(of(name)).padStart(12)}`),
    `${'duplicates, %'.padEnd(16)} ${share.padStart(12)}`,
    '',
    formatRow('failures by boundary', [...failures]),
    ...boundaries.map((boundary) =>
      formatRow(
        boundary,
        failures.map((failure) => count(of(failureKey(boundary, failure)))),
      ),
    ),
    '',
    'crashes',
    ...crashPoints.map((point) => formatRow(point, [count(of(crashKey(point)))])),
    '',
    `violations: ${violations}`,
  ].join('\n');
}

function formatRow(name: string, cells: string[]): string {
  return [name.padEnd(42), ...cells.map((cell) => cell.padStart(11))].join(' ');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
