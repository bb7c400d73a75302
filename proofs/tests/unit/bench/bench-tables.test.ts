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

test("batches of one click are compared in milliseconds, and with Powertools' transaction", () => {
  const measurements = [
    measure('hand-rolled', { batch: 1, clicksPerSecond: 500, p50Ms: 2 }),
    measure('powertools-transaction', { batch: 1, clicksPerSecond: 160, p50Ms: 6 }),
    measure('click-tally', { batch: 1, clicksPerSecond: 400, p50Ms: 2.5, environments: 10 }),
  ];

  const [, ...rows] = readCells(renderParts({ measurements, storage: [] }).single);

  expect(rows).toEqual([['1', '2.50', '0.50', '0.80', '2.50']]);
});

test('environments are listed in ascending order, and foreign ids last', () => {
  const measurements = [
    measure('click-tally', { environments: 10 }),
    measure('click-tally-foreign-ids', { clicksPerSecond: 1_940 }),
    measure('click-tally', { environments: 1 }),
    measure('click-tally', { environments: 100 }),
  ];

  const [titles, row] = readCells(renderParts({ measurements, storage: [] }).environments);

  expect(titles?.slice(2)).toEqual([
    ...['1 environment', '10 environments', '100 environments', 'foreign ids'],
  ]);
  expect(row?.slice(4)).toEqual(['2.00 · 0.1k', '2.00 · 1.9k']);
});

test("the bytes of markers are listed by the ids' source", () => {
  const storage = [
    { approach: 'click-tally-foreign-ids', clicks: 10, items: 10, bytesPerClick: 218.04 },
    { approach: 'click-tally', environments: 10, clicks: 10, items: 1, bytesPerClick: 7.46 },
  ] as const;

  const [, ...rows] = readCells(renderParts({ measurements: [], storage: [...storage] }).storage);

  expect(rows).toEqual([
    ['foreign ids', '10', '10', '218.0'],
    ['10 environments', '10', '1', '7.5'],
  ]);
});
