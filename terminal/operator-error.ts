/** A mistake in how a command was used, or a place that it cannot reach: told in one line. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
