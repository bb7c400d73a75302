import { expect, test } from 'vitest';
import { renderParts } from '../../../bench/bench-tables.ts';
import type { Contender, Measurement } from '../../../bench/measurement.ts';

const measure = (
  approach: Contender['approach'],
  changes: Partial<Measurement> = {},
): Measurement => ({
  approach,
  links: 1,
  batch: 100,
  writeUnitsPerClick: 2,
  requestsPerClick: 1,
  clicksPerSecond: 100,
  p50Ms: 10,
  p99Ms: 20,
  exact: true,
  ...changes,
});

/** The cells of a table's lines, without the one below the titles. */
const readCells = (table: string) =>
  table
    .split('\n')
    .toSpliced(1, 1)
    .map((line) => line.slice(2, -2).split(' | '));

test('each speed is relative to both hand-rolled transactions in the same scenario', () => {
  const measurements = [
    measure('hand-rolled', { clicksPerSecond: 100 }),
    measure('hand-rolled', { links: 20, clicksPerSecond: 7 }),
    measure('hand-rolled-parallel', { clicksPerSecond: 200 }),
    measure('hand-rolled-parallel', { links: 20, clicksPerSecond: 14 }),
    measure('click-tally', { clicksPerSecond: 1_500, environments: 10 }),
    measure('click-tally', { links: 20, clicksPerSecond: 70, environments: 10, exact: false }),
  ];

  const [, ...rows] = readCells(renderParts({ measurements, storage: [] }).approaches);

  expect(rows.at(-1)).toEqual([
    ...['**click-tally**', '2.00, 2.00', '1.00, 1.00', '15.0, 10.0', '7.5, 5.0', '10, 10'],
    '**no**',
  ]);
});
