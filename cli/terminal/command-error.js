/** An error whose message is all the user needs, so it's printed without a stack trace. */
export class CommandError extends Error {
    name = 'CommandError';
}
