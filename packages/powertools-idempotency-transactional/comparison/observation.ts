/** The two persistence layers, in the order of the report. */
export const sides = ['stock', 'ours'] as const;

export type Side = (typeof sides)[number];

/** A delivery's answer or error, and the quantity that is booked when it has ended. */
export type Delivery = [outcome: string, booked: number];

export interface Observation {
  deliveries: Delivery[];
  /** How often the wrapped function began. */
  calls: number;
  /** Write units that the engine reported. */
  units: number;
  /** Write units of refused writes, for which engines report none: one an item, in a transaction two. */
  refusedUnits: number;
}
