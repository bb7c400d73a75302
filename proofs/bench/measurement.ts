/** In the order of the table. */
export const approachNames = [
  'naive',
  'hand-rolled',
  'hand-rolled-parallel',
  'hand-rolled-click-id',
  'powertools',
  'powertools-transaction',
  'click-tally',
  'click-tally-foreign-ids',
] as const;

export type ApproachName = (typeof approachNames)[number];

/** Batches of `batch` clicks, spread evenly over `links` links. */
export interface Scenario {
  links: number;
  batch: number;
}

/** An approach, with the source of its click ids. */
export interface Contender {
  approach: ApproachName;
  /** Environments of resolve-link that mint the ids. Without them, an id has no place on a sheet. */
  environments?: number;
}

/** The measurement of a contender in a scenario. */
export interface Measurement extends Scenario, Contender {
  /** Write units, from the engine's own ConsumedCapacity. */
  writeUnitsPerClick: number;
  requestsPerClick: number;
  /** Median over the rounds. */
  clicksPerSecond: number;
  /** Milliseconds for one batch. */
  p50Ms: number;
  p99Ms: number;
  /** Whether every link's total and days equal the clicks that were sent. */
  exact: boolean;
}

/** The size of a contender's markers in the table. */
export interface MarkerStorage extends Contender {
  clicks: number;
  /** Marker items, or sheets. */
  items: number;
  /** Including the bytes that DynamoDB adds to each item. */
  bytesPerClick: number;
}

export interface BenchResult {
  measurements: Measurement[];
  storage: MarkerStorage[];
}

export interface BenchPlan {
  scenarios: Scenario[];
  /** Every contender runs in every round. */
  rounds: number;
  endpoint: string;
}

/** Messages from the measuring process. */
export type BenchMessage =
  | { type: 'round'; scenario: Scenario }
  | { type: 'measured'; result: BenchResult }
  | { type: 'slowed'; slowdown: string };

const links = [1, 20, 100];
const batches = [1, 10, 100, 1_000];

/** As on a busy stage. */
const usualEnvironments = 10;
const otherEnvironments = [1, 100];

/** In smaller batches, few clicks share a sheet anyway. */
const smallestVariedBatch = 100;

/** Lists all scenarios, or with `quick` a few. */
export function planScenarios(quick: boolean): Scenario[] {
  const sizes = quick ? [1, 100] : batches;
  return sizes.flatMap((batch) => links.map((count) => ({ links: count, batch })));
}

/** Whether click-tally is also measured with other numbers of environments. */
export function isVaried({ batch }: Scenario): boolean {
  return batch >= smallestVariedBatch;
}

/** Lists every approach and, in a varied scenario, click-tally with other environments. */
export function planContenders(scenario: Scenario): Contender[] {
  const varied = isVaried(scenario) ? otherEnvironments : [];
  return [
    ...approachNames.map((approach) =>
      approach === 'click-tally' ? { approach, environments: usualEnvironments } : { approach },
    ),
    ...varied.map((environments) => ({ approach: 'click-tally' as const, environments })),
  ];
}

/** Lists the contenders whose markers are measured: an item for each click, and sheets. */
export function planStorage(): Contender[] {
  return [
    { approach: 'click-tally-foreign-ids' },
    { approach: 'click-tally', environments: usualEnvironments },
  ];
}

/** Whether it compares approaches, and not numbers of environments. */
export function isUsual({ environments }: Contender): boolean {
  return environments === undefined || environments === usualEnvironments;
}
