import type { SQSRecord } from 'aws-lambda';
import { invariant } from '../invariant.ts';
import { logger } from '../telemetry/powertools.ts';
import type { SendDeadLetters } from './dead-letters.ts';
import {
  describeFailure,
  type FailedClick,
  groupFailures,
  isRejected,
  lastingReasons,
} from './failure.ts';
import { attemptOf, listEvents, type OpenedRecord, repackEnvelope } from './records.ts';
import type { BatchReport } from './report.ts';

interface RecordCounterOptions {
  countEvent: (event: unknown) => Promise<'counted' | 'duplicate'>;
  sendDeadLetters: SendDeadLetters;
  maxReceiveCount: number;
  report: BatchReport;
}

/**
 * Creates a function that counts the clicks of a message. It throws if the message must come back: if all
 * of its clicks failed, or if one that failed may succeed later. Otherwise, an envelope's clicks that would
 * fail again are sent to the dead letters, without the others, before SQS may delete their message.
 */
export function createRecordCounter(options: RecordCounterOptions) {
  const { countEvent, report } = options;
  return async (record: OpenedRecord): Promise<void> => {
    const { message, problem } = record;
    if (!message) {
      report.addFailure(record, problem);
      throw problem;
    }
    const { events, envelope } = message;
    const results = await Promise.allSettled(events.map(countEvent));
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ event: events[index], error: result.reason }] : [],
    );
    reportSuccesses(record, results, report);
    const [first] = failures;
    if (!first) return;
    // If nothing was counted, the message comes back as it is, like a single click.
    const isForwarded =
      envelope &&
      failures.length < events.length &&
      (await forward(record, envelope, failures, options));
    if (envelope) report.addFailures(record, failures, isForwarded);
    else report.addFailure(record, first.error);
    if (!isForwarded) throw first.error;
  };
}

function reportSuccesses(
  record: OpenedRecord,
  results: readonly PromiseSettledResult<'counted' | 'duplicate'>[],
  report: BatchReport,
): void {
  // An envelope that came back has clicks which its earlier attempts counted and reported.
  const hasComeBack = record.message?.envelope !== undefined && attemptOf(record) !== 1;
  for (const result of results) {
    if (result.status === 'rejected') continue;
    const isReported = hasComeBack && result.value === 'duplicate';
    if (!isReported) report.addSuccess(result.value);
  }
}

/** Forwards all of these clicks, unless one may succeed later. Returns whether SQS has them. */
async function forward(
  record: SQSRecord,
  envelope: object,
  failures: FailedClick[],
  { sendDeadLetters, maxReceiveCount }: RecordCounterOptions,
): Promise<boolean> {
  const isLastAttempt = (attemptOf(record) ?? 0) >= maxReceiveCount;
  const wouldFailAgain = failures.every(
    ({ error }) =>
      lastingReasons.includes(describeFailure(error).reason) ||
      (isLastAttempt && isRejected(error)),
  );
  if (!wouldFailAgain) return false;
  try {
    const deadLetters = groupFailures(failures).map(({ reason, events }) => {
      const body = repackEnvelope(envelope, events);
      const readable = listEvents(body).length;
      // The message will be gone, and a redrive couldn't count them.
      invariant(readable === events.length, `${events.length} readable clicks`, readable);
      return { body, reason };
    });
    await sendDeadLetters(record, deadLetters);
    return true;
  } catch (error) {
    logger.error('clicks not forwarded to the dead letters', { error });
    return false;
  }
}
