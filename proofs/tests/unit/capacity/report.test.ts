import { describe, expect, test } from 'vitest';
import {
  formatDollars,
  formatRows,
  type Row,
  readCells,
  rowTitles,
} from '../../../capacity/report.ts';

const row: Row = {
  ...{ stage: 'prod', traffic: 'busy', approach: 'click-tally', seconds: 60 },
  ...{ offeredPerSecond: 1_000.4, countedPerSecond: 998, holds: true },
  lagMs: { p50: 1_430, p99: 2_760, worst: 4_000 },
  depth: { max: 12_345, end: 0 },
  ...{
    conflictShare: 0.0123,
    throttledShare: 0,
    inFlightShare: 0,
    duplicateShare: 0,
    deadLetters: 0,
  },
  unitsPerClick: { committed: 1.2, cancelled: 0.05 },
  ...{ clicksPerBatch: 456.7, invocationMs: 300 },
  concurrency: { mean: 2.34, max: 7 },
  front: [],
  saturatesFirst: 'PutEvents (10 %)',
  usage: {
    ...{ clicks: 60_000, seconds: 60, invocations: 130, invocationSeconds: 39, memoryMb: 1_024 },
    ...{ queueRequests: 12_000, writeUnits: 75_000, readUnits: 0, markerBytes: 0, logBytes: 0 },
  },
  dollars: {
    throughApi: [
      { name: 'API', dollarsPerMillion: 1 },
      { name: 'writes', dollarsPerMillion: 0.7816 },
    ],
    onBus: [{ name: 'writes', dollarsPerMillion: 0.7816 }],
  },
};

/** The cells of a row, by their columns' titles. */
function cellsOf(one: Row): Record<string, string> {
  const cells = readCells(one);
  return Object.fromEntries(rowTitles.map((title, index) => [title, cells[index] ?? '']));
}

describe('a row', () => {
  test('has a cell for each figure', () => {
    expect(cellsOf(row)).toEqual({
      ...{ stage: 'prod', traffic: 'busy', approach: 'click-tally' },
      ...{ 'offered/s': '1,000', 'held/s': 'all' },
      ...{ 'lag p50': '1.4 s', p99: '2.8 s', worst: '4.0 s' },
      ...{ depth: '12,345', drained: '', conflicts: '1.2 %', duplicates: '0 %', dead: '0' },
      ...{ units: '1.25', batch: '457', running: '2.3 (7)' },
      ...{ '$/million': '1.78', 'on the bus': '0.78', 'saturates first': 'PutEvents (10 %)' },
    });
  });

  test('says how many clicks a second were held if not all were', () => {
    expect(cellsOf({ ...row, holds: false })).toMatchObject({ 'held/s': '998' });
  });

  test('says how long a backlog took to drain', () => {
    expect(cellsOf({ ...row, drainSeconds: 42 })).toMatchObject({ drained: '42 s' });
  });

  test('without a click counted has neither lags nor a price', () => {
    const lagMs = { p50: Number.NaN, p99: Number.NaN, worst: 130 };

    expect(cellsOf({ ...row, lagMs, dollars: undefined })).toMatchObject({
      ...{ 'lag p50': '', p99: '', '$/million': '', 'on the bus': '' },
    });
  });
});

test('in a terminal, names begin and figures end below each other', () => {
  const lines = formatRows([row, { ...row, traffic: 'peak-viral', offeredPerSecond: 75_000 }]);

  expect(lines.map((line) => line.slice(0, 40))).toEqual([
    'stage  traffic     approach     offered/',
    'prod   busy        click-tally      1,00',
    'prod   peak-viral  click-tally     75,00',
  ]);
});

test('prices are listed by part', () => {
  expect(formatDollars([row])).toEqual([
    'stage  traffic  approach       API  writes',
    'prod   busy     click-tally  1.000   0.782',
  ]);
});

test('a row without a price is not among the prices', () => {
  const priceless = { ...row, traffic: 'quiet', dollars: undefined };

  expect(formatDollars([priceless, row])).toEqual(formatDollars([row]));
});
