import type { Random } from '../../fixtures/random.ts';
import type { Faults } from './faults.ts';
import type { Scheduler } from './instance.ts';
import type { Message, Queue } from './queue.ts';
import { markerLifeMs, type Settings } from './settings.ts';
import type { Statistics } from './statistics.ts';
import type { Trace } from './trace.ts';

export interface OperatorParts {
  settings: Settings;
  time: Scheduler;
  random: Random;
  faults: Faults;
  statistics: Statistics;
  trace: Trace;
  queue: Queue;
  deadLetters: Queue;
}

/**
 * Moves dead letters back to their queue: each becomes a new message with a new age. A click that
 * may have been counted must be delivered before its marker expires, so older ones stay.
 */
export function redrive(parts: OperatorParts): void {
  const { settings, time, deadLetters, statistics, trace } = parts;
  const safeMs = markerLifeMs(settings) - settings.queueRetentionMs;
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
    case 'refused':
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
