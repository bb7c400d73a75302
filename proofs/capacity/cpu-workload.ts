import type { MeasuredLoad } from './cpu-fit.ts';

/** Batches of clicks on some links. */
export interface Workload {
  clicks: number;
  links: number;
  /** Environments of resolve-link that mint the ids; null for ids of other producers. */
  environments: number | null;
}

/** One workload, as a process measured it several times in a row. */
export interface Sample extends Workload, MeasuredLoad {
  /** What the reference took beside it. */
  referenceMs: number;
}

/** What a process measures from its start to its end. */
export interface ProcessReport {
  /** The CPU time of importing the bundle. */
  initMs: number;
  samples: Sample[];
}

/** Where the measuring process gets the totals of the endpoint, which begin anew each time. */
export const totalsPath = '/totals';

const batches = [1, 10, 100, 1_000, 5_000];
const links = [1, 20, 1_000];
/** On a quiet stage and on a busy one: prod reserves 400 environments for resolve-link. */
const environments = [1, 10, 400, null];

/** All workloads, in the order of the report. */
export const workloads: readonly Workload[] = environments.flatMap((ids) =>
  links.flatMap((count) => batches.map((clicks) => ({ clicks, links: count, environments: ids }))),
);

/** How often a process runs each workload for one sample, so that each takes a while. */
export function repetitionsOf({ clicks }: Workload): number {
  return Math.max(1, Math.min(100, Math.round(1_000 / clicks)));
}
