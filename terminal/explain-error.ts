import { CommandError } from './command-error.ts';

interface ServiceError extends Error {
  code?: string;
  address?: string;
  port?: number;
  hostname?: string;
  $metadata?: { httpStatusCode?: number };
}

const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ETIMEDOUT',
]);
const badCredentials =
  /ExpiredToken|InvalidClientTokenId|UnrecognizedClient|InvalidSignature|SignatureDoesNotMatch|InvalidAccessKeyId/;

/** One line for what went wrong and what to do; the stack trace only where it may be our mistake. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const known = explainKnown(error);
  return known === undefined ? (error.stack ?? error.message) : known.replace(/\s*\n\s*/g, ' ');
}

function explainKnown(error: ServiceError): string | undefined {
  const { name, code = '' } = error;
  const message = error.message.replace(/\.$/, '');
  if (error instanceof CommandError) return error.message;
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return `No AWS credentials (${message}). Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and its secret.`;
  }
  if (badCredentials.test(name)) {
    return `AWS refuses these credentials (${message}). Renew them, for example with aws sso login.`;
  }
  if (unreachable.has(code) || name === 'TimeoutError') {
    return `Nothing answers at ${describePlace(error)}. Is it running, and is its address right?`;
  }
  if (name === 'QueueDoesNotExist' || name === 'ResourceNotFoundException') {
    return `The stack has lost a queue or its table (${message}). Deploy or start it again.`;
  }
  if (!error.$metadata) return undefined;
  const isAnswer = error.$metadata.httpStatusCode !== undefined;
  return `${isAnswer ? 'AWS answered' : 'There was no answer'}: ${name}: ${message}`;
}

function describePlace({ message, address, port, hostname, code }: ServiceError): string {
  if (address !== undefined) return `${address}:${port}`;
  return hostname ?? `the endpoint (${message || code})`;
}
