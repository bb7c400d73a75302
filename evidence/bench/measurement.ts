/** The measured approaches, in the order of the table. */
export const approachNames = [
  'naive',
  'hand-rolled',
  'hand-rolled-parallel',
  'powertools',
  'powertools-transaction',
  'click-tally',
] as const;

export type ApproachName = (typeof approachNames)[number];

/** Batches of `batch` clicks, spread evenly over `links` links. */
export interface Scenario {
  links: number;
  batch: number;
}

/** The measurement of one approach in one scenario. */
export interface Measurement extends Scenario {
  approach: ApproachName;
  /** Write units, from the engine's own ConsumedCapacity. */
  writeUnitsPerClick: number;
  requestsPerClick: number;
  /** Median over the rounds. */
  clicksPerSecond: number;
  /** Milliseconds for one batch. */
  p50Ms: number;
  p99Ms: number;
  /** Whether every link's sum and days equal the clicks that were sent. */
  exact: boolean;
}

export interface BenchPlan {
  scenarios: Scenario[];
  /** Every approach runs in every round. */
  rounds: number;
  endpoint: string;
}

/** Messages from the measuring process. */
export type BenchMessage =
  | { type: 'round'; scenario: Scenario }
  | { type: 'measured'; measurements: Measurement[] };

const links = [1, 20, 100];
const batches = [1, 10, 100, 1_000];

/** Lists all scenarios, or the most telling ones. */
export function planScenarios(quick: boolean): Scenario[] {
  const sizes = quick ? [1, 100] : batches;
  return sizes.flatMap((batch) => links.map((count) => ({ links: count, batch })));
}

/** The percentile for a share from 0 to 1, by nearest rank. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
