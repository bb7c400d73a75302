import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { SQSRecord } from 'aws-lambda';
import { logger, metrics } from '../telemetry/powertools.ts';
import { identifyLoggable, parseMessage } from './click.ts';
import { describeFailure } from './failure.ts';
import { attemptOf } from './records.ts';

/** Reports the clicks of one batch: received = counted + duplicates + failed. */
export class BatchReport {
  readonly #maxReceiveCount: number;
  readonly #counts = { counted: 0, duplicates: 0, failed: 0, dead: 0 };

  constructor(maxReceiveCount: number) {
    this.#maxReceiveCount = maxReceiveCount;
  }

  addSuccess(outcome: string): void {
    this.#counts[outcome === 'counted' ? 'counted' : 'duplicates'] += 1;
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
    this.#counts.failed += 1;
    if (isSentOn || (attempt ?? 0) >= this.#maxReceiveCount) this.#counts.dead += 1;
  }

  /** Adds the outcomes that occurred to the metrics. A metric costs money for each hour with a data point. */
  publish(): void {
    const { counted, duplicates, failed, dead } = this.#counts;
    if (counted > 0) metrics.addMetric('ClicksCounted', MetricUnit.Count, counted);
    if (duplicates > 0) metrics.addMetric('DuplicateClicks', MetricUnit.Count, duplicates);
    if (failed > 0) metrics.addMetric('FailedClicks', MetricUnit.Count, failed);
    if (dead > 0) metrics.addMetric('DeadLetters', MetricUnit.Count, dead);
  }
}

function readEvent(body: string): unknown {
  try {
    return parseMessage(body);
  } catch {
    return undefined;
  }
}
