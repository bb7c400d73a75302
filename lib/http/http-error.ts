import type { Subject } from '../validation.ts';

/**
 * An error response: its status, the reason for the caller, any additional headers, and the reasons
 * by field of a form.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, string>>;

  constructor(
    statusCode: number,
    message: string,
    headers: Record<string, string> = {},
    fields?: Record<string, string>,
  ) {
    super(message);
    this.statusCode = statusCode;
    this.headers = headers;
    this.fields = fields;
  }
}

/** Names a part of the request. If it's invalid, the response is a 400 with the reason. */
export function badRequestSubject(name: string): Subject {
  return { name, reject: (reason, _, fields) => new HttpError(400, reason, {}, fields) };
}

/** Rate limit reached. Says when to retry. */
export function tooManyRequestsError(perMinute: number, retryAfterSeconds: number): HttpError {
  const reason = `You've sent more than ${perMinute} requests in a minute.`;
  const remedy = `Try again in ${retryAfterSeconds} seconds.`;
  return new HttpError(429, `${reason} ${remedy}`, { 'retry-after': `${retryAfterSeconds}` });
}

/** One message for all reasons, so that a stranger can't learn which keys exist. */
export function invalidKeyError(): HttpError {
  const reason = 'Expected a valid API key in the header "Authorization: Bearer <key>".';
  const remedy = "Check that it's complete, and that it hasn't expired or been revoked.";
  return new HttpError(401, `${reason} ${remedy}`, { 'www-authenticate': 'Bearer' });
}

export function readOnlyKeyError(): HttpError {
  const message = 'This API key may only read. Use one that may write.';
  return new HttpError(403, message, { 'www-authenticate': 'Bearer error="insufficient_scope"' });
}

export function noBacklogError(): HttpError {
  return new HttpError(503, 'The queues have not been read yet. Try again in a few seconds.');
}

/** An older version of the page requested a file that no longer exists. */
export function noFileError(): HttpError {
  return new HttpError(404, "This file doesn't exist. Reload the page.");
}
