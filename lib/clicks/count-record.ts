import type { SQSRecord } from 'aws-lambda';
import { AwsClient } from '../aws/aws-client.ts';
import { chunk } from '../chunk.ts';
import { logger } from '../telemetry/powertools.ts';
import { describeFailure, type FailureReason, isRejected, lastingReasons } from './failure.ts';
import {
  attemptOf,
  checkRecord,
  chooseFirstSent,
  firstSentAttribute,
  type Message,
  readMessage,
} from './records.ts';
import type { BatchReport } from './report.ts';

interface RecordCounterOptions {
  countEvent: (event: unknown) => Promise<'counted' | 'duplicate'>;
  sendLetters: SendLetters;
  maxReceiveCount: number;
  report: BatchReport;
}

interface Failure {
  event: unknown;
  error: unknown;
}

/**
 * Creates a function that counts the clicks of a message. It throws if the message must come back:
 * if its only click failed, or if a click of an envelope may succeed later. Clicks of an envelope that
 * would fail again are sent to the dead letters, alone, before SQS may delete their message.
 */
export function createRecordCounter(options: RecordCounterOptions) {
  const { countEvent, report } = options;
  return async (record: SQSRecord): Promise<void> => {
    const { events, isEnvelope } = openRecord(record, report);
    const results = await Promise.allSettled(events.map(countEvent));
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected' ? [{ event: events[index], error: result.reason }] : [],
    );
    const isSentOn = isEnvelope && failures.length > 0 && (await sendOn(record, failures, options));
    // An envelope that came back has clicks which its earlier attempts counted and reported.
    const hasComeBack = isEnvelope && attemptOf(record) !== 1;
    for (const result of results) {
      if (result.status === 'rejected' || (hasComeBack && result.value === 'duplicate')) continue;
      report.addSuccess(result.value);
    }
    for (const { event, error } of failures) report.addFailure(record, error, { event, isSentOn });
    if (failures[0] && !isSentOn) throw failures[0].error;
  };
}

function openRecord(record: SQSRecord, report: BatchReport): Message {
  try {
    checkRecord(record);
    return readMessage(record.body);
  } catch (error) {
    report.addFailure(record, error);
    throw error;
  }
}

/** Sends on all of these clicks, unless one may succeed later. Returns whether SQS has them. */
async function sendOn(
  record: SQSRecord,
  failures: Failure[],
  { sendLetters, maxReceiveCount }: RecordCounterOptions,
): Promise<boolean> {
  const isLastAttempt = (attemptOf(record) ?? 0) >= maxReceiveCount;
  const letters = failures.flatMap(({ event, error }): Letter[] => {
    const { reason } = describeFailure(error);
    const lasts = lastingReasons.includes(reason) || (isLastAttempt && isRejected(error));
    return lasts ? [{ event, reason }] : [];
  });
  if (letters.length < failures.length) return false;
  try {
    await sendLetters(record, letters);
    return true;
  } catch (error) {
    logger.error('clicks not sent on to the dead letters', { error });
    return false;
  }
}

/** For each click, and for the start of the last. Otherwise, SQS could hold up the batch's other messages. */
const timeoutMs = 1_000;
const requestsAtOnce = 10;

/** A click of an envelope, as an event of its own. */
export interface Letter {
  event: unknown;
  reason: FailureReason;
}

type SendLetters = (record: SQSRecord, letters: Letter[]) => Promise<void>;

/**
 * Creates a function that sends clicks of an envelope to the dead letters, alone, with the reason.
 * Each keeps its envelope's first arrival, so its age limits a redrive as it would have there.
 * Throws if SQS doesn't accept all in time.
 */
export function createLetterSender(QueueUrl: string): SendLetters {
  // Few batches need the client.
  let sqs: AwsClient | undefined;
  return async ({ attributes, messageAttributes }, letters) => {
    sqs ??= new AwsClient('SQS');
    const client = sqs;
    const text = messageAttributes?.[firstSentAttribute]?.stringValue;
    const firstSentMs = chooseFirstSent(text, Number(attributes.SentTimestamp));
    const firstSent = { DataType: 'Number', StringValue: `${firstSentMs}` };
    const sendLetter = ({ event, reason }: Letter) => {
      const Reason = { DataType: 'String', StringValue: reason };
      const MessageAttributes = { [firstSentAttribute]: firstSent, Reason };
      const input = { QueueUrl, MessageBody: JSON.stringify(event), MessageAttributes };
      return client.send('SendMessage', input, AbortSignal.timeout(timeoutMs));
    };
    const deadlineMs = Date.now() + timeoutMs;
    for (const some of chunk(letters, requestsAtOnce)) {
      if (Date.now() > deadlineMs) throw new Error(`SQS took more than ${timeoutMs} ms`);
      await Promise.all(some.map(sendLetter));
    }
  };
}
