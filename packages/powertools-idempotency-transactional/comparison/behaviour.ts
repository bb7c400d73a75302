import type { Observation } from './observation.ts';
import type { World } from './world.ts';

/** For somebody who uses stock now. */
export type Verdict = 'same' | 'better' | 'different' | 'worse';

/** Something that happens to a function, and what each side is known to do. */
export interface Behaviour {
  name: string;
  title: string;
  /** The section of the documentation of Powertools' idempotency utility that describes it. */
  section?: string;
  /** The quantity that should be booked in the end. */
  due: number;
  play(world: World): Promise<void>;
  stock: Observation;
  ours: Observation;
  verdict: Verdict;
  why: string;
}

/** What a side is known to do. */
export function saw(
  deliveries: Observation['deliveries'],
  figures: { calls: number; units: number; refusedUnits?: number },
): Observation {
  return { deliveries, refusedUnits: 0, ...figures };
}
