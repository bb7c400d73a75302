import type { Subject } from '../validation.ts';

/** An error response: its status, the reason for the caller and any additional headers. */
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

/** Names a part of the request. If it's invalid, the response is a 400 with the reason. */
export function badRequestSubject(name: string): Subject {
  return { name, refuse: (reason) => new HttpError(400, reason) };
}

/** Rate limit reached. Says when to retry. */
export function tooManyRequestsError(perMinute: number, retryAfterSeconds: number): HttpError {
  const reason = `You've sent more than ${perMinute} requests in a minute.`;
  const remedy = `Try again in ${retryAfterSeconds} seconds.`;
  return new HttpError(429, `${reason} ${remedy}`, { 'retry-after': `${retryAfterSeconds}` });
}
