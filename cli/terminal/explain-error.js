import { CommandError } from './command-error.ts';
const unreachable = new Set([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'ETIMEDOUT',
]);
const badCredentials = /ExpiredToken|InvalidClientTokenId|UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|InvalidAccessKeyId/;
/** Explains in a line what went wrong and what to do. Only a possible bug keeps its stack trace. */
export function explainError(error) {
    if (!(error instanceof Error))
        return String(error);
    // The cleanup after the first error failed too. The first error is the cause.
    if (error instanceof SuppressedError)
        return explainError(error.suppressed);
    if (error instanceof CommandError)
        return error.message;
    return explainServiceError(error)?.replace(/\s*\n\s*/g, ' ') ?? error.stack ?? error.message;
}
function explainServiceError(error) {
    const { name, code = '' } = error;
    const message = error.message.replace(/\.$/, '');
    if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
        return `No AWS credentials (${message}). Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`;
    }
    if (badCredentials.test(name)) {
        return `AWS rejected these credentials (${message}). Renew them, for example with aws sso login.`;
    }
    if (unreachable.has(code) || name === 'TimeoutError') {
        return `No response from ${describePlace(error)}. Check that it is running and that the address is correct.`;
    }
    if (name === 'QueueDoesNotExist' || name === 'ResourceNotFoundException') {
        return `A resource of the stack is missing (${message}). Deploy or start the stack again.`;
    }
    if (error.syscall)
        return `Cannot ${error.syscall} ${error.path ?? describePlace(error)} (${message}).`;
    if (!error.$metadata)
        return undefined;
    const isAnswer = error.$metadata.httpStatusCode !== undefined;
    return `${isAnswer ? 'AWS answered' : 'AWS did not respond'}: ${name}: ${message}`;
}
function describePlace({ message, address, port, hostname, code }) {
    if (address !== undefined)
        return `${address}:${port}`;
    return hostname ?? `the endpoint (${message || code})`;
}
