import type { Subject } from '../validation.ts';

/** An answer with an error status, a reason for the caller and perhaps more headers. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, message: string, headers = {}) {
    super(message);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

/** Describes a part of the request; if it is invalid, the response is a 400 with the reason. */
export function badRequestSubject(name: string): Subject {
  return { name, refuse: (reason) => new HttpError(400, reason) };
}

/** The answer to a user who has sent too many requests in this minute; says when the next one begins. */
export function tooManyRequestsError(perMinute: number, retryAfterSeconds: number): HttpError {
  const reason = `You've sent more than ${perMinute} requests in a minute.`;
  const remedy = `Try again in ${retryAfterSeconds} seconds.`;
  return new HttpError(429, `${reason} ${remedy}`, { 'retry-after': `${retryAfterSeconds}` });
}
