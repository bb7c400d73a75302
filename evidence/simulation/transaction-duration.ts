import type { Random } from '../kit/random.ts';

/**
 * How long a transaction of so many items takes: a line through the medians that Alex DeBrie
 * measured from Lambda, 25.3 ms for 5 items and 32.1 ms for 25, times a draw from the spread of the
 * latter. 11 ms of it are the transit that the network of the simulation adds.
 *
 * @see https://github.com/alexdebrie/dynamodb-performance-testing#results
 */
export function drawDurationMs(items: number, random: Random): number {
  const roundTripMs = (23.6 + 0.34 * items) * drawSpread(random.fraction());
  return Math.max(3, roundTripMs - 11);
}

/** The minimum, p50, p90, p95, p99 and maximum of 25 items, divided by the median. */
const spread: [quantile: number, factor: number][] = [
  [0, 0.73],
  [0.5, 1],
  [0.9, 1.26],
  [0.95, 1.47],
  [0.99, 3.04],
  [1, 8.04],
];

function drawSpread(quantile: number): number {
  const above = spread.findIndex(([other]) => other > quantile);
  const [[from, low], [to, high]] = [spread[above - 1] ?? [0, 1], spread[above] ?? [1, 1]];
  return low + ((high - low) * (quantile - from)) / (to - from);
}
