import type { Context } from 'aws-lambda';
import { maxClicksInEnvelope } from './envelope-limit.ts';
import type { OpenedRecord } from './records.ts';

/** Time held back at the end of an invocation to report what failed. */
const reserveMs = 500;

/**
 * Counts a batch in parts, one after another: first all messages with one click and at most 500 clicks of
 * envelopes, then as many clicks as fit into half of the remaining time. Envelopes can have more clicks than
 * an invocation can count. If they were all counted at once, none might be finished in time. Returns the
 * records that weren't started.
 */
export async function countInParts(
  records: readonly OpenedRecord[],
  context: Pick<Context, 'getRemainingTimeInMillis'>,
  count: (part: OpenedRecord[]) => Promise<void>,
): Promise<OpenedRecord[]> {
  const isEnvelope = ({ message }: OpenedRecord) => message?.envelope !== undefined;
  let waiting = records.filter(isEnvelope);
  const first = takeClicks(waiting, maxClicksInEnvelope);
  waiting = waiting.slice(first.length);
  let part = [...records.filter((record) => !isEnvelope(record)), ...first];
  while (part.length > 0) {
    const startMs = context.getRemainingTimeInMillis();
    await count(part);
    const remainingMs = context.getRemainingTimeInMillis();
    const clicksPerMs = countClicks(part) / (startMs - remainingMs);
    part = takeClicks(waiting, (clicksPerMs * (remainingMs - reserveMs)) / 2);
    waiting = waiting.slice(part.length);
  }
  return waiting;
}

/** The first of these records, with at most this many clicks. */
function takeClicks(records: readonly OpenedRecord[], max: number): OpenedRecord[] {
  let clicks = 0;
  const end = records.findIndex((record) => {
    clicks += countClicks([record]);
    const fits = clicks <= max;
    // If no time has passed and none remains, `max` isn't a number, and nothing fits.
    return !fits;
  });
  return end === -1 ? [...records] : records.slice(0, end);
}

function countClicks(records: readonly OpenedRecord[]): number {
  return records.reduce((sum, { message }) => sum + (message?.events.length ?? 1), 0);
}
