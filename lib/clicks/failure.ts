import {
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
} from '@aws-lambda-powertools/idempotency';
import {
  CommitDeadlineError,
  ConditionFailedError,
  ItemMissingError,
} from 'powertools-idempotency-transactional';
import { InvalidClickError } from './click.ts';

/** Why a message failed. */
export type FailureReason =
  | 'invalid-click'
  | 'unknown-link'
  | 'deleted-link'
  | 'changed-click'
  | 'out-of-time'
  | 'not-committed';

interface Failure {
  reason: FailureReason;
  /** Human-readable, for an operator. */
  message: string;
  /** The same, but safe to log: without text from the message's sender. */
  loggable: string;
}

const changedClick = 'this click id was already counted with a different code or day';

/** Describes a failure, given the error of the record. */
export function describeFailure(error: unknown): Failure {
  const cause = error instanceof IdempotencyPersistenceLayerError ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  const toFailure = (reason: FailureReason, text = message, loggable = text): Failure => {
    return { reason, message: text, loggable };
  };
  if (cause instanceof InvalidClickError)
    return toFailure('invalid-click', message, cause.loggable);
  if (cause instanceof ItemMissingError) return toFailure('unknown-link');
  if (cause instanceof ConditionFailedError) {
    return toFailure('deleted-link', describeDeletion(cause.item ?? {}));
  }
  if (cause instanceof CommitDeadlineError) return toFailure('out-of-time');
  if (cause instanceof IdempotencyValidationError) return toFailure('changed-click', changedClick);
  // JSON.parse quotes the text it can't parse, and the hand-rolled aggregator lets that error through.
  return toFailure('not-committed', message, cause instanceof SyntaxError ? cause.name : message);
}

function describeDeletion({ deletedAt, purgedAt, since }: Record<string, string>): string {
  if (deletedAt) return `the link was deleted at ${deletedAt}, before the click; restore it first`;
  if (purgedAt) return `the link was deleted and is gone since ${purgedAt}`;
  return `the click is older than the link, which got a deleted link's code at ${since}`;
}
