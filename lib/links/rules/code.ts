import { HttpError } from '../../http/http-error.ts';
import { isCode } from '../../keys.ts';
import { show } from '../../validation.ts';

/** Why a visitor isn't redirected. */
export type UnreachableReason = 'unknown' | 'disabled' | 'expired' | 'unavailable';

/** A link can't be followed. Visitors see the reason's page, and clients the message. */
export class UnreachableLinkError extends HttpError {
  readonly reason: UnreachableReason;

  constructor(
    statusCode: number,
    reason: UnreachableReason,
    message: string,
    headers: Record<string, string> = {},
  ) {
    super(statusCode, message, headers);
    this.reason = reason;
  }
}

/** Parses a code in a path. Throws an {@link HttpError} of 404 if no link can have that code. */
export function parseCode(code = ''): string {
  if (isCode(code)) return code;
  throw notFoundError(code);
}

export function notFoundError(code: string): UnreachableLinkError {
  return new UnreachableLinkError(404, 'unknown', `There is no link with the code ${show(code)}.`);
}

export function goneError(code: string): UnreachableLinkError {
  return new UnreachableLinkError(
    410,
    'disabled',
    `The link with the code ${show(code)} is disabled.`,
  );
}

export function expiredError(code: string): UnreachableLinkError {
  return new UnreachableLinkError(
    410,
    'expired',
    `The link with the code ${show(code)} has expired.`,
  );
}

/** While links can't be read, this one may well exist. Says when to try again. */
export function unavailableError(code: string): UnreachableLinkError {
  const message = `The link with the code ${show(code)} can't be looked up now. Try again in a minute.`;
  return new UnreachableLinkError(503, 'unavailable', message, { 'retry-after': '60' });
}

/**
 * A browser looks ahead. Unless it's rejected, Chromium reuses the redirect at the click, which then
 * isn't counted, or stays where it is (204). A 503 would count as our failure.
 */
export function speculationError(): HttpError {
  return new HttpError(403, 'A link leads to its destination only when somebody follows it.');
}
