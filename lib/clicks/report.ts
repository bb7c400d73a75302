import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { SQSRecord } from 'aws-lambda';
import { logger, metrics } from '../telemetry/powertools.ts';
import { identifyLoggable, parseMessage } from './click.ts';
import { describeFailure } from './failure.ts';
import { attemptOf } from './records.ts';

/** Reports the clicks of one batch: received = counted + duplicates + failed. */
export class BatchReport {
  readonly #maxReceiveCount: number;
  readonly #counts = { ClicksCounted: 0, DuplicateClicks: 0, FailedClicks: 0, DeadLetters: 0 };

  constructor(maxReceiveCount: number) {
    this.#maxReceiveCount = maxReceiveCount;
  }

  addSuccess(outcome: string): void {
    this.#counts[outcome === 'counted' ? 'ClicksCounted' : 'DuplicateClicks'] += 1;
  }

  /**
   * Logs why a click failed, its message's attempt number and the maximum. An earlier attempt, or a
   * commit whose response was lost, may have counted it. The log never quotes the message, which may
   * hold personal data. `npm run dlq -- list` shows it. An envelope's click has an event of its own,
   * and may have been sent on to the dead letters.
   */
  addFailure(
    record: SQSRecord,
    error: unknown,
    {
      event = readEvent(record.body),
      isSentOn = false,
    }: { event?: unknown; isSentOn?: boolean } = {},
  ): void {
    const { reason, loggable } = describeFailure(error);
    const attempt = attemptOf(record);
    logger.error('click not confirmed', {
      ...identifyLoggable(event),
      reason,
      detail: loggable,
      attempt,
      maxReceiveCount: this.#maxReceiveCount,
      messageId: record.messageId,
      ...(isSentOn && { isSentOn }),
    });
    this.#counts.FailedClicks += 1;
    if (isSentOn || (attempt ?? 0) >= this.#maxReceiveCount) this.#counts.DeadLetters += 1;
  }

  /** Adds the outcomes to the metrics. */
  publish(): void {
    const counts = Object.entries(this.#counts);
    if (counts.every(([, count]) => count === 0)) return;
    for (const [name, count] of counts) metrics.addMetric(name, MetricUnit.Count, count);
  }
}

function readEvent(body: string): unknown {
  try {
    return parseMessage(body);
  } catch {
    return undefined;
  }
}
