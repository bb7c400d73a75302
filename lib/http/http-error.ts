import type { Subject } from '../validation.ts';

/** An answer with an error status and a reason for the caller. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Describes a part of the request; if it is invalid, the response is a 400 with the reason. */
export function badRequest(name: string): Subject {
  return { name, refuse: (reason) => new HttpError(400, reason) };
}
