/** An error whose message tells the user all they need: it is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
