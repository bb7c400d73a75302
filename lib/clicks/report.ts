import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { SQSRecord } from 'aws-lambda';
import { CommitDeadlineError } from 'powertools-idempotency-transactional';
import { logger, metrics } from '../telemetry/powertools.ts';
import { identifyLoggable, parseMessage } from './click.ts';
import { describeFailure, type FailedClick, groupFailures } from './failure.ts';
import { attemptOf, type OpenedRecord } from './records.ts';

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

  /** Logs why a message failed. */
  addFailure(record: SQSRecord, error: unknown): void {
    const { reason, loggable } = describeFailure(error);
    this.#log(record, readEvent(record.body), { reason, detail: loggable });
    this.#countFailed(record, 1);
  }

  /**
   * Logs why clicks of a message failed, in one line for each reason, which describes the first such
   * click. They may have been forwarded to the dead letters.
   */
  addFailures(record: SQSRecord, failures: readonly FailedClick[], isForwarded = false): void {
    for (const { reason, events, loggable } of groupFailures(failures)) {
      const forwarded = isForwarded && { isForwarded };
      const [first] = events;
      this.#log(record, first, { reason, detail: loggable, clicks: events.length, ...forwarded });
    }
    this.#countFailed(record, failures.length, isForwarded);
  }

  /** Logs that there was no time left for a message. */
  addNotStarted(record: OpenedRecord): void {
    const { message, problem } = record;
    if (!message) {
      this.addFailure(record, problem);
      return;
    }
    const error = new CommitDeadlineError('not started before the deadline');
    const failures = message.events.map((event) => ({ event, error }));
    this.addFailures(record, failures);
  }

  /** Adds the outcomes that occurred to the metrics. A metric costs money for each hour with a data point. */
  publish(): void {
    const { counted, duplicates, failed, dead } = this.#counts;
    if (counted > 0) metrics.addMetric('ClicksCounted', MetricUnit.Count, counted);
    if (duplicates > 0) metrics.addMetric('DuplicateClicks', MetricUnit.Count, duplicates);
    if (failed > 0) metrics.addMetric('FailedClicks', MetricUnit.Count, failed);
    if (dead > 0) metrics.addMetric('DeadLetters', MetricUnit.Count, dead);
  }

  // An earlier attempt, or a commit whose response was lost, may have counted the click. The log never
  // quotes the message, which may hold personal data. `npm run dlq -- list` shows it.
  #log(record: SQSRecord, event: unknown, outcome: object): void {
    logger.error('click not counted yet', {
      ...identifyLoggable(event),
      ...outcome,
      attempt: attemptOf(record),
      maxReceiveCount: this.#maxReceiveCount,
      messageId: record.messageId,
    });
  }

  #countFailed(record: SQSRecord, clicks: number, isForwarded = false): void {
    const isLastAttempt = (attemptOf(record) ?? 0) >= this.#maxReceiveCount;
    this.#counts.failed += clicks;
    if (isForwarded || isLastAttempt) this.#counts.dead += clicks;
  }
}

function readEvent(body: string): unknown {
  try {
    return parseMessage(body);
  } catch {
    return undefined;
  }
}
