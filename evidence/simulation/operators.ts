import type { Random } from '../kit/random.ts';
import type { Faults } from './faults.ts';
import type { Message, Queue } from './queue.ts';
import type { Settings } from './settings.ts';
import type { Statistics } from './statistics.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface OperatorParts {
  settings: Settings;
  time: VirtualTime;
  random: Random;
  faults: Faults;
  statistics: Statistics;
  trace: Trace;
  queue: Queue;
  deadLetters: Queue;
}

/**
 * Moves the dead letters back to their queue, as SQS does it on request: each becomes a new
 * message with a new age. A click that may have been counted must be through before its marker
 * expires, so what is too old for that is left where it is.
 */
export function redrive(parts: OperatorParts): void {
  const { settings, time, deadLetters, statistics, trace } = parts;
  const { busRetryMs, queueRetentionMs, deadLetterRetentionMs } = settings;
  const safeMs = busRetryMs + queueRetentionMs + deadLetterRetentionMs;
  const letters = deadLetters
    .list()
    .filter(({ sent: { sentMs, firstSentMs = sentMs } }) => firstSentMs + safeMs > time.nowMs);
  trace.note(() => `operator: redrives ${letters.length} dead letters`);
  statistics.add('redriven', letters.length);
  for (const letter of letters) moveBack(parts, letter);
}

function moveBack(
  { queue, deadLetters, time, random, faults }: OperatorParts,
  letter: Message,
): void {
  const send = () => queue.send(letter.body, letter.sent);
  const remove = () => deadLetters.remove(letter);
  switch (faults.failureAt('operator → queue: redrive')) {
    case 'never sent':
    case 'failed':
      return;
    case 'answer lost':
      send();
      return;
    case 'late':
      time.after(random.exponential(600_000), () => {
        send();
        remove();
      });
      return;
    case 'twice':
      send();
  }
  send();
  remove();
}
