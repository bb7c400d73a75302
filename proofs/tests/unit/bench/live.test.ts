import { expect, test } from 'vitest';
import { isComplete, measureDelays } from '../../../bench/live-result.ts';

const sightings = [
  { atMs: 900, clicks: 0 },
  { atMs: 1_500, clicks: 2 },
  { atMs: 2_400, clicks: 3 },
];

test.each([
  ['ends when the total first reaches its position', [1_000, 1_050, 1_100], [500, 450, 1_300]],
  ['uses positions in the order of the starts', [1_050, 1_000], [500, 450]],
  ['is missing if the click was never seen', [1, 2, 3, 4], [1_499, 1_498, 2_397]],
])("a click's delay %s", (_, startsMs, delays) => {
  expect(measureDelays(startsMs, sightings)).toEqual(delays);
});

test.each([
  ['complete if the screen and every connection saw every click', {}, true],
  ['incomplete if the table misses a click', { stored: 599 }, false],
  ['incomplete if the screen misses a click', { onScreen: 599 }, false],
  ['incomplete if a connection misses a click', { atConnections: [600, 599] }, false],
  ['incomplete if a click counted twice', { stored: 601, onScreen: 601 }, false],
])('a run is %s', (_, changes, expected) => {
  const all = { clicks: 600, stored: 600, onScreen: 600, atConnections: [600, 600] };

  expect(isComplete({ ...all, ...changes })).toBe(expected);
});
