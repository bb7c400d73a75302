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
];
const deaths: Fault[] = ['crash-before-work', 'crash-mid-work', 'crash-after-work', 'timeout'];

const phantom = {
  'unknown-link':
    'ADD creates the item that it does not find, so a link that nobody made has clicks.',
};
const newEventId =
  'The key is the event id of the bus, and a PutEvents that is sent again gets a new one.';
const repeatedAdd =
  'The SDK sends an increment again whose answer it missed, and ADD adds once more.';

const claim: Sentences = {
  ...each(
    ['crash-before-work', 'crash-mid-work', 'timeout'],
    'The claim outlives the process, so the message that comes back is taken for done; its work, or the rest of it, never happens.',
  ),
  'answer-lost':
    'The SDK sends the put again whose answer it missed, meets its own claim and takes the message for done; and an ADD sent again adds once more.',
  throttling:
    'The work is refused after the claim was made, so the retry finds the claim and skips the click.',
  ...phantom,
};

const counts: Record<Approach, Sentences> = {
  naive: {
    ...each(
      [...secondMessage, 'message-twice', 'both-at-once', 'again-after-10-s', 'again-after-25-h'],
      'Nothing is remembered, so each delivery adds one.',
    ),
    ...each(
      deaths,
      'What the batch had counted before the process died comes back with it and counts again.',
    ),
    'answer-lost': repeatedAdd,
    throttling:
      'The error leaves the loop and fails the whole batch, so what was counted before it counts again.',
    malformed:
      'The error leaves the loop, so the whole batch comes back until it is dead: its good clicks count again each time and end in the dead-letter queue.',
    ...phantom,
  },
  'claim-message-id': {
    ...claim,
    ...each(
      secondMessage,
      'The second message of a click has a messageId of its own, so it is claimed and counted too.',
    ),
    'again-after-25-h':
      'The ttl is 24 hours ahead; when it has passed, the claim is gone and the message is new.',
  },
  'claim-short-ttl': {
    ...each(
      secondMessage,
      'The second message of a click has a messageId of its own, so it is claimed and counted too.',
    ),
    ...each(
      ['again-after-10-s', 'again-after-25-h'],
      'The ttl is 5 seconds ahead; when it has passed, the claim is gone and the message is new.',
    ),
    ...each(
      deaths,
      'When the batch comes back after the visibility timeout, its 5-second claims are gone, and what was counted counts again.',
    ),
    'answer-lost': claim['answer-lost'] ?? '',
    throttling:
      'When the click comes back, its 5-second claim is gone, and the increment that had gone through is repeated.',
    ...phantom,
  },
  'claim-event-id': { ...claim, 'published-twice': newEventId },
  'work-then-record': {
    'published-twice': newEventId,
    'both-at-once': 'Both workers look for the record before either of them has written it.',
    ...each(
      ['crash-mid-work', 'crash-after-work'],
      'The process dies with work done and nothing recorded, so the message that comes back is worked again.',
    ),
    'answer-lost': repeatedAdd,
    throttling:
      'The first increment goes through and the second is refused; the retry finds no record and repeats the first.',
    ...phantom,
  },
  'hand-rolled': {
    'published-twice': newEventId,
    conflict:
      'Any TransactionCanceledException returns "duplicate", so a transaction that lost against another is taken for done.',
    throttling:
      'Any TransactionCanceledException returns "duplicate", so a transaction that was throttled is taken for done.',
    'unknown-link':
      'Any TransactionCanceledException returns "duplicate", so the click of a missing link vanishes instead of reaching the dead-letter queue.',
  },
  'hand-rolled-careful': { 'published-twice': newEventId },
  fifo: {
    'unknown-link':
      'The put asks nothing of the link, so there are clicks of a link that nobody made.',
  },
  powertools: {
    'again-after-25-h':
      'expiresAfterSeconds is left at its default of one hour; a longer one would cure this.',
    ...each(
      deaths,
      'The INPROGRESS record expires with the function, so the work runs again, and the increments made before are repeated.',
    ),
    'answer-lost': repeatedAdd,
    throttling:
      'The first increment goes through and the second is refused; the record is deleted and the retry repeats the first.',
    ...phantom,
  },
  'powertools-transaction': {},
  'click-tally': {},
};

const withoutKey = 'Without a key, the payment API cannot know that it is asked again.';
const otherKey =
  'The second message of a click has a messageId of its own, so the payment API is given another key.';
const newEventKey = 'A PutEvents that is sent again gets a new event id, and so another key.';

const lostCharge: Sentences = {
  ...each(
    ['crash-before-work', 'timeout'],
    'The claim outlives the process, so the message that comes back is taken for done and the charge is never made.',
  ),
  'answer-lost':
    'The SDK sends the put again whose answer it missed, meets its own claim and takes the message for done, so the charge is never made.',
  throttling:
    'The payment API refuses after the claim was made, so the retry finds the claim and the charge is never made.',
};

const charges: Partial<Record<Approach, Sentences>> = {
  'claim-message-id': {
    ...lostCharge,
    ...each(secondMessage, otherKey),
    'again-after-25-h': `The ttl is 24 hours ahead. ${withoutKey}`,
  },
  'claim-short-ttl': {
    ...each(secondMessage, otherKey),
    ...each(
      ['again-after-10-s', 'again-after-25-h', ...deaths],
      `The ttl is 5 seconds ahead. ${withoutKey}`,
    ),
    'answer-lost': lostCharge['answer-lost'] ?? '',
  },
  'claim-event-id': { ...lostCharge, 'published-twice': newEventKey },
  'work-then-record': {
    'published-twice': newEventKey,
    'both-at-once': `Both workers look for the record before either of them has written it. ${withoutKey}`,
    ...each(
      ['crash-mid-work', 'crash-after-work', 'answer-lost'],
      `The charge is made, but its record is not, so the message that comes back is charged again. ${withoutKey}`,
    ),
  },
  powertools: {
    'again-after-25-h': `expiresAfterSeconds is left at its default of one hour. ${withoutKey}`,
    ...each(
      [...deaths, 'answer-lost'],
      `The charge is made, but its record is not completed, so the work runs again. ${withoutKey}`,
    ),
  },
};

/** Why a cell is not exact, to be checked in the approach's file; undefined where it is exact. */
export function explain(result: CellResult): string | undefined {
  if (isExact(result)) return undefined;
  const { approach, fault, effect } = result;
  return (effect === 'count' ? counts : charges)[approach]?.[fault];
}

/** What is to be said for and of an approach besides its cells. */
export const remarks: Record<Approach, string> = {
  naive: 'The cheapest count there is, right as long as nothing ever comes twice.',
  'claim-message-id': 'Stops what SQS itself delivers twice within a day.',
  'claim-short-ttl': 'Heals after a crash, since a claim soon expires, and so does its protection.',
  'claim-event-id': 'Stops every copy of an event; a crash or a refusal after the claim loses it.',
  'work-then-record': 'Never loses a click; a crash or a rival between work and record doubles it.',
  'hand-rolled': 'Right through every crash and redelivery; contention and throttling lose clicks.',
  'hand-rolled-careful':
    'Right through all but a second event id; contended clicks cost another delivery each.',
  fifo: 'Right and cheapest to write; but there is no sum: to read a count is to query all documents of the link, and FIFO topics and queues have their own price and throughput.',
  powertools:
    'Little code, and keyed by the click id it stops every copy; what a crash interrupts runs again.',
  'powertools-transaction':
    'Right in every cell, with two writes of bookkeeping on top of the transaction.',
  'click-tally': 'The idempotency record is the transaction, and the clicks of a batch share one.',
};
