import { describeExcessAge } from '../../cli/dlq/age-limit.ts';
import type { Random } from '../tools/random.ts';
import type { Message, Queue } from './queue.ts';
import type { Standby } from './standby/standby.ts';
import type { Surroundings } from './surroundings.ts';

interface Queues extends Surroundings {
  queue: Queue;
  deadLetters: Queue;
  standby?: Pick<Standby, 'deadLetters'> | undefined;
}

/**
 * Moves dead letters back to their queue: each becomes a new message. Whether one is too old is decided
 * by the code of `dlq redrive`. `dlq drain-standby` does the same with StandbyDLQ.
 */
export function redrive(queues: Queues): void {
  const { plan, time, deadLetters, statistics, trace, standby } = queues;
  if (standby) redrive({ ...queues, deadLetters: standby.deadLetters, standby: undefined });
  const isYoung = (deadLetter: Message) =>
    describeExcessAge(deadLetter, plan.settings, time.nowMs) === undefined;
  const movable = deadLetters.list().filter(isYoung);
  trace.note(() => `operator: redrives ${movable.length} dead letters`);
  statistics.add('redriven', movable.length);
  const random = queues.random(`redrive ${time.nowMs}`);
  for (const deadLetter of movable) moveBack(queues, random, deadLetter);
}

function moveBack(
  { queue, deadLetters, time, faults }: Queues,
  random: Random,
  deadLetter: Message,
): void {
  const send = () => queue.send(deadLetter.body, deadLetter.sent, deadLetter.firstSentMs);
  const move = () => {
    send();
    deadLetters.remove(deadLetter);
  };
  faults.act('operator → queue: redrive', move, {
    dropped: () => {},
    rejected: () => {},
    'response lost': send,
    late: () => time.after(random.exponential(600_000), move),
    twice: () => {
      send();
      move();
    },
  });
}
