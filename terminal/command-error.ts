/** A wrong use of a command, or a service that it cannot reach; printed as one line. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
