import type { CellResult } from '../cell.ts';
import type { Approach, Fault } from '../names.ts';
import { isExact } from './outcome.ts';

type Sentences = Partial<Record<Fault, string>>;

const each = (faults: Fault[], sentence: string): Sentences =>
  Object.fromEntries(faults.map((fault) => [fault, sentence]));

const secondMessage: Fault[] = [
  'event-twice',
  'published-twice',
  'both-in-one-batch',
  'event-after-6-min',
  'again-after-8-days',
  'changed-click',
];
const interruptions: Fault[] = [
  'crash-before-work',
  'crash-mid-work',
  'crash-after-work',
  'timeout',
];

const phantom = {
  'unknown-link': 'ADD creates a missing item, so a link that nobody created has clicks.',
};
const newEventId =
  'The key is the event id of the bus, and a retried PutEvents gets a new event id.';
const sevenDays = 'The marker expires after 7 days, so the redriven message looks new.';
const keyedByEvent: Sentences = {
  'published-twice': newEventId,
  'again-after-8-days': sevenDays,
  'changed-click': 'The key is the event id, so another click under a known click id is counted.',
};
const payloadIgnored =
  'Payloads are not compared, so the other click is taken for a duplicate and vanishes.';
const repeatedAdd = 'The SDK retries an increment whose answer was lost, and ADD adds again.';

const ownMessageId = each(
  secondMessage,
  'The second message of a click has its own messageId, so it is claimed and counted too.',
);

const claim: Sentences = {
  ...each(
    ['crash-before-work', 'crash-mid-work', 'timeout'],
    'The claim outlives the process. When the message is redelivered, the function mistakes it for a duplicate and skips the rest of its work.',
  ),
  'answer-lost':
    'The SDK retries a put whose answer was lost, finds its own claim and mistakes the click for a duplicate. A retried ADD adds again.',
  throttling:
    'DynamoDB throttles the work after the claim, so the next delivery finds the claim and skips the click.',
  ...phantom,
};

const counts: Record<Approach, Sentences> = {
  naive: {
    ...each(
      [...secondMessage, 'message-twice', 'both-at-once', 'again-after-10-s', 'again-after-25-h'],
      'The function remembers nothing, so each delivery adds one.',
    ),
    ...each(
      interruptions,
      'SQS redelivers the whole batch, and the clicks that it had counted before the process died count again.',
    ),
    'answer-lost': repeatedAdd,
    throttling:
      'The error leaves the loop and fails the whole batch, so the clicks counted before it count again.',
    malformed:
      'The error leaves the loop, so SQS redelivers the whole batch until it becomes dead letters. Its good clicks count again each time.',
    ...phantom,
  },
  'claim-message-id': {
    ...claim,
    ...ownMessageId,
    'again-after-25-h': 'The claim expires after 24 hours, so the message looks new.',
  },
  'claim-short-ttl': {
    ...ownMessageId,
    ...each(
      ['again-after-10-s', 'again-after-25-h'],
      'The claim expires after 5 seconds, so the message looks new.',
    ),
    ...each(
      interruptions,
      'SQS redelivers the batch after the visibility timeout. By then its 5-second claims have expired, so counted clicks count again.',
    ),
    'answer-lost': claim['answer-lost'] ?? '',
    throttling:
      'When the click is redelivered, its 5-second claim has expired, and its first increment is repeated.',
    ...phantom,
  },
  'claim-event-id': { ...claim, ...keyedByEvent },
  'work-then-record': {
    ...keyedByEvent,
    'both-at-once': 'Both instances look for the record before either of them has written it.',
    ...each(
      ['crash-mid-work', 'crash-after-work'],
      'The process dies after the work and before the record, so the redelivered message counts again.',
    ),
    'answer-lost': repeatedAdd,
    throttling:
      'The first increment succeeds and the second is throttled. The next delivery finds no record and repeats the first.',
    ...phantom,
  },
  'hand-rolled': {
    ...keyedByEvent,
    conflict:
      'The function mistakes any TransactionCanceledException for a duplicate, so a transaction cancelled by a conflict is never retried.',
    throttling:
      'The function mistakes any TransactionCanceledException for a duplicate, so a throttled transaction is never retried.',
    'unknown-link':
      'The function mistakes any TransactionCanceledException for a duplicate, so the click of a missing link vanishes instead of becoming a dead letter.',
  },
  'hand-rolled-careful': keyedByEvent,
  'hand-rolled-click-id': { 'again-after-8-days': sevenDays, 'changed-click': payloadIgnored },
  fifo: {
    'unknown-link': 'The put does not check the link, so a link that nobody created has clicks.',
    'changed-click': 'The document is stored under its link, so the other click is counted too.',
  },
  powertools: {
    ...each(
      ['again-after-25-h', 'again-after-8-days'],
      'expiresAfterSeconds has its default of one hour. A longer one would prevent this.',
    ),
    'changed-click': payloadIgnored,
    ...each(
      interruptions,
      'The INPROGRESS record expires with the invocation, so the work runs again and repeats its increments.',
    ),
    'answer-lost': repeatedAdd,
    throttling:
      'The first increment succeeds and the second is throttled. Powertools deletes the record, so the next delivery repeats the first.',
    ...phantom,
  },
  'powertools-transaction': {
    'again-after-8-days': `Powertools' record expires after an hour. ${sevenDays}`,
    'changed-click': payloadIgnored,
  },
  'click-tally': {},
};

/** Explains why a cell is not exact; undefined if it is. */
export function explain(result: CellResult): string | undefined {
  if (isExact(result)) return undefined;
  return counts[result.approach][result.fault];
}

/** A summary of each approach. */
export const remarks: Record<Approach, string> = {
  naive: 'The simplest count. It is right as long as no message is ever redelivered.',
  'claim-message-id': 'Recognises a message that SQS delivers twice within a day.',
  'claim-short-ttl':
    'Recovers from a crash because the claim soon expires. The protection expires with it.',
  'claim-event-id':
    'Recognises every copy of an event. A crash or throttling after the claim loses the click.',
  'work-then-record':
    'Never loses a click. A crash or a second instance between work and record counts it twice.',
  'hand-rolled': 'Survives every crash and redelivery. Contention and throttling lose clicks.',
  'hand-rolled-careful':
    'Keyed by the event id, so a click with a second one counts twice. Each contended click needs another delivery.',
  'hand-rolled-click-id':
    'As safe as click-tally while its markers live and payloads never change. It costs more writes, and each contended click needs another delivery.',
  fifo: 'Writes one document per click and keeps no total, so reading a count queries all documents of the link. FIFO topics and queues have their own price and throughput.',
  powertools:
    'Needs little code and, keyed by the click id, recognises every copy. Work that a crash interrupts runs again.',
  'powertools-transaction':
    'Keyed by the click id, with two more writes than the transaction alone. Its markers live for 7 days, and it ignores payloads.',
  'click-tally':
    'The idempotency record is part of the transaction, and the clicks of a batch share one transaction.',
};
