import type { Verdict } from '../behaviour.ts';
import type { Delivery, Observation } from '../observation.ts';
import type { Row } from '../run.ts';

/** A delivery's outcome, and in parentheses what is booked then. */
export function describeDelivery([outcome, booked]: Delivery): string {
  return `${outcome} (${booked})`;
}

/** Calls and write units; those of refused writes are added behind a plus. */
export function describeFigures({ calls, units, refusedUnits }: Observation): string {
  const refused = refusedUnits > 0 ? ` + ${refusedUnits}` : '';
  const total = `${units}${refused}`;
  return `${calls} ${calls === 1 ? 'call' : 'calls'}, ${total} ${total === '1' ? 'unit' : 'units'}`;
}

/** Everything that was seen, in one line. */
export function describeObservation(observation: Observation): string {
  const deliveries = observation.deliveries.map(describeDelivery).join(', ');
  return `${deliveries}; ${describeFigures(observation)}`;
}

/** How often each verdict was given, such as `2 same, 1 worse`. */
export function countVerdicts(rows: Row[]): string {
  const verdicts: Verdict[] = ['same', 'better', 'different', 'worse'];
  return verdicts
    .map((verdict) => {
      const count = rows.filter(({ behaviour }) => behaviour.verdict === verdict).length;
      return `${count} ${verdict}`;
    })
    .join(', ');
}
