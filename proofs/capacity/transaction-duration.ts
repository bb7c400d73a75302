import type { Random } from '../../fixtures/random.ts';

/**
 * The duration of a transaction: a line through the medians that Alex DeBrie measured from Lambda,
 * 25.3 ms for 5 items and 32.1 ms for 25, times a draw from the latter's spread. 11 ms of it are the
 * transit, which the simulation's network adds.
 *
 * @see https://github.com/alexdebrie/dynamodb-performance-testing#results
 */
export function drawDurationMs(items: number, random: Random): number {
  const roundTripMs = (23.6 + 0.34 * items) * drawFrom(transactionSpread, random);
  return Math.max(3, roundTripMs - 11);
}

type Distribution = readonly (readonly [quantile: number, value: number])[];

/** The minimum, p50, p90, p95, p99 and maximum of 25 items, divided by the median. */
const transactionSpread: Distribution = [
  [0, 0.73],
  [0.5, 1],
  [0.9, 1.26],
  [0.95, 1.47],
  [0.99, 3.04],
  [1, 8.04],
];

function drawFrom(distribution: Distribution, random: Random): number {
  const quantile = random.fraction();
  const above = distribution.findIndex(([other]) => other > quantile);
  const [[from, low], [to, high]] = [
    distribution[above - 1] ?? [0, 1],
    distribution[above] ?? [1, 1],
  ];
  return low + ((high - low) * (quantile - from)) / (to - from);
}
