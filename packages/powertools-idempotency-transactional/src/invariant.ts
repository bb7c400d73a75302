import { IdempotencyUnknownError } from '@aws-lambda-powertools/idempotency';

/** Something that always holds doesn't: a mistake in this layer, whatever its payload was. */
class InvariantError extends IdempotencyUnknownError {
  override name = 'InvariantError';
}

/** @throws {InvariantError} unless an invariant holds. It fails only the payload that breaks it. */
export function invariant(holds: boolean, expectation: string, got: unknown): void {
  if (holds) return;
  throw new InvariantError(`expected ${expectation}; got ${got}. This is a bug: report it.`);
}
