import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { formatResult } from '../../../bench/bench-tables.ts';
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

/** The cells of a table's rows. */
const readTable = (text: string, heading: string) => {
  const table = text.split('\n\n').find((part) => part.startsWith(heading)) ?? '';
  const [, , ...rows] = stripVTControlCharacters(table).split('\n');
  return rows.map((row) => row.trim().split(/ {2,}/));
};

test('each speed is relative to both hand-rolled transactions in the same scenario', () => {
  const measurements = [
    measure('hand-rolled', { links: 20, clicksPerSecond: 7 }),
    measure('hand-rolled', { clicksPerSecond: 100 }),
    measure('hand-rolled-parallel', { clicksPerSecond: 200 }),
    measure('click-tally', { clicksPerSecond: 1_500, environments: 10 }),
  ];

  const text = formatResult({ measurements, storage: [] });

  const row = readTable(text, 'All approaches').find(
    ([, , approach]) => approach === 'click-tally',
  );
  expect(row?.slice(5, 8)).toEqual(['1500', '15.00', '7.50']);
});

test("batches of one click are compared in milliseconds, and with Powertools' transaction", () => {
  const measurements = [
    measure('hand-rolled', { batch: 1, clicksPerSecond: 500, p50Ms: 2 }),
    measure('powertools-transaction', { batch: 1, clicksPerSecond: 160, p50Ms: 6 }),
    measure('click-tally', { batch: 1, clicksPerSecond: 400, p50Ms: 2.5, environments: 10 }),
  ];

  const text = formatResult({ measurements, storage: [] });

  expect(readTable(text, 'click-tally, alone')).toEqual([['1', '2.50', '0.50', '0.80', '2.50']]);
});

test('environments are listed in ascending order, and foreign ids last', () => {
  const measurements = [
    measure('click-tally', { environments: 10 }),
    measure('click-tally-foreign-ids'),
    measure('click-tally', { environments: 1 }),
    measure('click-tally', { environments: 100 }),
  ];

  const text = formatResult({ measurements, storage: [] });

  const minters = readTable(text, 'click-tally, by the ids').map(([, , minter]) => minter);
  expect(minters).toEqual(['1 environment', '10 environments', '100 environments', 'foreign']);
  expect(readTable(text, 'All approaches')).toHaveLength(2);
});

test("the bytes of markers are listed by the ids' source", () => {
  const storage = [
    { approach: 'click-tally-foreign-ids', clicks: 10, items: 10, bytesPerClick: 218.04 },
    { approach: 'click-tally', environments: 10, clicks: 10, items: 1, bytesPerClick: 7.46 },
  ] as const;

  const text = formatResult({ measurements: [], storage: [...storage] });

  expect(readTable(text, 'Bytes of the markers')).toEqual([
    ['foreign', '10', '10', '218.0'],
    ['10 environments', '10', '1', '7.5'],
  ]);
});
