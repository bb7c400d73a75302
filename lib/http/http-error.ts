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
export function badRequest(name: string): Subject {
  return { name, refuse: (reason) => new HttpError(400, reason) };
}
