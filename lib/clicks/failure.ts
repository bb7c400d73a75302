import {
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
} from '@aws-lambda-powertools/idempotency';
import {
  CommitDeadlineError,
  CommitRejectedError,
  ConditionFailedError,
  ItemMissingError,
} from 'powertools-idempotency-transactional';
import { InvalidClickError } from './click.ts';
import { VisitorNotStoredError } from './visitor-union.ts';

const lasting = ['invalid-click', 'unknown-link', 'deleted-link', 'changed-click'] as const;

/** Why a message failed. */
export type FailureReason =
  | (typeof lasting)[number]
  | 'out-of-time'
  | 'not-committed'
  | 'visitor-not-stored';

/** Reasons that another attempt rarely removes. */
export const lastingReasons: FailureReason[] = [...lasting];

interface Failure {
  reason: FailureReason;
  /** Human-readable, for an operator. */
  message: string;
  /** The same, but safe to log: without text from the message's sender. */
  loggable: string;
}

/** A click that failed, and why. */
export interface FailedClick {
  event: unknown;
  error: unknown;
}

/** The clicks that failed for one reason. */
export interface FailureGroup {
  reason: FailureReason;
  events: unknown[];
  /** What happened to the first of them. */
  loggable: string;
}

/** Groups failures by reason, so that an envelope's failures are logged and forwarded together. */
export function groupFailures(failures: readonly FailedClick[]): FailureGroup[] {
  const groups = new Map<FailureReason, FailureGroup>();
  for (const { event, error } of failures) {
    const { reason, loggable } = describeFailure(error);
    const group = groups.get(reason);
    if (group) group.events.push(event);
    else groups.set(reason, { reason, events: [event], loggable });
  }
  return [...groups.values()];
}

const changedClick = 'this click id was already counted with a different code or day';

/** Whether DynamoDB rejects this click's writes, as it does if one of its items has a wrong type. */
export function isRejected(error: unknown): boolean {
  return causeOf(error) instanceof CommitRejectedError;
}

/** Describes a failure, given the error of the record. */
export function describeFailure(error: unknown): Failure {
  const cause = causeOf(error);
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
  if (cause instanceof VisitorNotStoredError) return toFailure('visitor-not-stored');
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

/** Why a commit failed. */
function causeOf(error: unknown): unknown {
  return error instanceof IdempotencyPersistenceLayerError ? error.cause : error;
}
