import type { Random } from '../../fixtures/random.ts';
import type { Boundary } from './fault-kinds.ts';
import type { InvocationEnd } from './lambda.ts';
import type { Surroundings } from './surroundings.ts';

interface Invocation {
  boundary: Boundary;
  random: Random;
  /** When the caller stops waiting for an answer. */
  timeoutMs: number;
  /** The average delay of a late invocation. */
  lateMs: number;
  invoke: (onEnd: (end: InvocationEnd) => void) => void;
  /** Called with the end that the caller sees. */
  finish: (end: InvocationEnd) => void;
}

/** Invokes a function with a fault: never, late, twice, or with a lost answer. */
export function invokeAcross(
  { time, faults }: Pick<Surroundings, 'time' | 'faults'>,
  { boundary, random, timeoutMs, lateMs, invoke, finish }: Invocation,
): void {
  const ignore = () => {};
  switch (faults.failureAt(boundary)) {
    case 'never sent':
    case 'refused':
      time.after(random.integer(1, 2_000), () => finish({ error: 'not invoked' }));
      return;
    case 'answer lost':
      invoke(ignore);
      time.after(timeoutMs, () => finish({ error: 'no answer' }));
      return;
    case 'late':
      time.after(random.exponential(lateMs), () => invoke(finish));
      return;
    case 'twice':
      time.after(random.chance(0.5) ? 0 : random.exponential(5_000), () => invoke(ignore));
  }
  invoke(finish);
}
