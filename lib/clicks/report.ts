import type { FailureResponse, SuccessResponse } from '@aws-lambda-powertools/batch/types';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { SQSRecord } from 'aws-lambda';
import { logger, metrics } from '../telemetry/powertools.ts';
import { identifyLoggable } from './click.ts';
import { describeFailure } from './failure.ts';
import { attemptOf } from './records.ts';

/**
 * Logs why a message failed, its attempt number and the maximum. An earlier attempt, or a commit
 * whose response was lost, may have counted the click. The log never quotes the message, which may
 * hold personal data. `npm run dlq -- list` shows it.
 */
export function reportFailure(record: SQSRecord, error: unknown, maxReceiveCount: number): void {
  const { reason, loggable } = describeFailure(error);
  logger.error('click not confirmed', {
    ...identifyLoggable(record.body),
    reason,
    detail: loggable,
    attempt: attemptOf(record),
    maxReceiveCount,
    messageId: record.messageId,
  });
}

/** Adds a batch's outcomes to the metrics: received = counted + duplicates + failed. */
export function reportBatch(
  results: (SuccessResponse | FailureResponse)[],
  maxReceiveCount: number,
): void {
  if (results.length === 0) return;
  const successes = results.filter(([status]) => status === 'success');
  const failures = results.filter(([status]) => status === 'fail');
  const counted = successes.filter(([, outcome]) => outcome === 'counted');
  const dead = failures.filter(
    ([, , record]) => (attemptOf(record as SQSRecord) ?? 0) >= maxReceiveCount,
  );
  metrics.addMetric('ClicksCounted', MetricUnit.Count, counted.length);
  metrics.addMetric('DuplicateClicks', MetricUnit.Count, successes.length - counted.length);
  metrics.addMetric('FailedClicks', MetricUnit.Count, failures.length);
  metrics.addMetric('DeadLetters', MetricUnit.Count, dead.length);
}
