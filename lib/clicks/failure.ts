import {
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
} from '@aws-lambda-powertools/idempotency';
import { CommitDeadlineError, ItemMissingError } from '../idempotency/index.ts';
import { InvalidClickError } from './click.ts';

/** Why a message failed. */
export type FailureReason =
  | 'invalid-click'
  | 'unknown-link'
  | 'changed-click'
  | 'out-of-time'
  | 'not-committed';

export interface Failure {
  reason: FailureReason;
  /** Human-readable. */
  message: string;
}

/** Describes a failure, given the error of the record. */
export function describeFailure(error: unknown): Failure {
  const cause = error instanceof IdempotencyPersistenceLayerError ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof InvalidClickError) return { reason: 'invalid-click', message };
  if (cause instanceof ItemMissingError) return { reason: 'unknown-link', message };
  if (cause instanceof CommitDeadlineError) return { reason: 'out-of-time', message };
  if (cause instanceof IdempotencyValidationError) {
    return {
      reason: 'changed-click',
      message: 'this click id was already counted with a different code or day',
    };
  }
  return { reason: 'not-committed', message };
}
