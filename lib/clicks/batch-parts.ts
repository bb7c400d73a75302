import type { Context } from 'aws-lambda';
import { maxClicksInEnvelope } from './envelope-limit.ts';
import type { OpenedRecord } from './records.ts';

/** Time held back at the end of an invocation to report what failed. */
export const reserveMs = 500;

/**
 * Counts batches in parts, one after another. The first part has as many single clicks as fit into half of the
 * time at the environment's latest speed, but at least 500, and at most 500 clicks of envelopes; the next ones
 * have as many clicks as fit into half of the remaining time. A batch can have more clicks than an invocation
 * can count, above all while DynamoDB is busy. If they were all counted at once, few might be finished: many
 * would be counted, and come back only for their visitor.
 */
export class BatchParts {
  /** Of the environment's latest part, in clicks a millisecond. 0 if that part didn't fit into half of its time. */
  #speed = 0;

  /** Returns the records that weren't started. */
  async count(
    records: readonly OpenedRecord[],
    context: Pick<Context, 'getRemainingTimeInMillis'>,
    countPart: (part: OpenedRecord[]) => Promise<void>,
  ): Promise<OpenedRecord[]> {
    const envelopes = records.filter(isEnvelope);
    const singles = records.filter((record) => !isEnvelope(record));
    const fitting = countFitting(this.#speed, context.getRemainingTimeInMillis());
    const firstSingles = takeClicks(singles, Math.max(fitting, maxClicksInEnvelope));
    const firstEnvelopes = takeClicks(envelopes, maxClicksInEnvelope);
    let part = [...firstSingles, ...firstEnvelopes];
    let waiting = [
      ...singles.slice(firstSingles.length),
      ...envelopes.slice(firstEnvelopes.length),
    ];
    while (part.length > 0) {
      const startMs = context.getRemainingTimeInMillis();
      await countPart(part);
      const remainingMs = context.getRemainingTimeInMillis();
      const clicksPerMs = countClicks(part) / (startMs - remainingMs);
      this.#speed = remainingMs < startMs / 2 ? 0 : clicksPerMs;
      part = takeClicks(waiting, countFitting(clicksPerMs, remainingMs));
      waiting = waiting.slice(part.length);
    }
    return waiting;
  }
}

function isEnvelope({ message }: OpenedRecord): boolean {
  return message?.envelope !== undefined;
}

/** The clicks that fit into half of the remaining time. */
function countFitting(clicksPerMs: number, remainingMs: number): number {
  return (clicksPerMs * (remainingMs - reserveMs)) / 2;
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
