/** How often the reference's loop runs. */
export const referenceIterations = 10_000_000;

/**
 * Arithmetic of 32-bit integers, whose time relates the figures of one machine to another's: steps
 * of a linear congruential generator, each of which needs the one before.
 */
export function runReference(): number {
  let state = 1;
  for (let index = 0; index < referenceIterations; index++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
  }
  return state;
}
