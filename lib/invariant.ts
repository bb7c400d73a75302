/** Something that always holds doesn't: a mistake in this program, whatever its input was. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

/** Throws {@link InvariantError} unless an invariant holds. `got` may be logged. */
export function invariant(holds: boolean, expectation: string, got: unknown): void {
  if (holds) return;
  throw new InvariantError(`expected ${expectation}; got ${got}. This is a bug: report it.`);
}
