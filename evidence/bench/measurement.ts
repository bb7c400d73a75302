/** The approaches that are measured, in the order in which they are shown. */
export const approachNames = [
  'naive',
  'hand-rolled',
  'hand-rolled-parallel',
  'powertools',
  'powertools-transaction',
  'click-tally',
] as const;

export type ApproachName = (typeof approachNames)[number];

/** A batch of `batch` clicks, spread evenly over `links` links. */
export interface Scenario {
  links: number;
  batch: number;
}

/** What one approach did in one scenario. */
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
  /** Every link's sum and days are what was sent. */
  exact: boolean;
}

export interface Plan {
  scenarios: Scenario[];
  /** Each approach takes its turn in each round. */
  rounds: number;
  endpoint: string;
}

export type Progress =
  | { kind: 'round'; done: number; scenario: Scenario }
  | { kind: 'measured'; measurements: Measurement[] };

const links = [1, 20, 100];
const batches = [1, 10, 100, 1_000];

/** All scenarios, or those that show the most. */
export function planScenarios(quick: boolean): Scenario[] {
  const sizes = quick ? [1, 100] : batches;
  return sizes.flatMap((batch) => links.map((count) => ({ links: count, batch })));
}

/** The value below which the given share of the values lies; nearest rank. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
