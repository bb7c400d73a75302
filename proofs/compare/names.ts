import { type Fault, faults } from './plan.ts';

/** The approaches, in the order of the report, with a summary of each. Each is a file in approaches/. */
export const remarks = {
  naive: 'Right as long as no message is ever redelivered.',
  'claim-message-id': 'Recognises a message that SQS delivers twice within a day.',
  'claim-short-ttl':
    'Recovers from a crash because the claim soon expires. The protection expires with it.',
  'claim-event-id':
    'Recognises every copy of an event. A crash or throttling after the claim loses the click.',
  'work-then-record':
    'Never loses a click. A crash or a second instance between work and record counts it twice.',
  'hand-rolled': 'Survives every crash and redelivery. Contention and throttling lose clicks.',
  'hand-rolled-careful': 'Keyed by the event id, so a click published twice counts twice.',
  'hand-rolled-click-id':
    'Exact until its markers expire or an id is reused. It costs more writes and deliveries.',
  fifo: 'Writes an item per click and keeps no total, so reading a count queries all items of the link.',
  powertools:
    'Needs little code and, keyed by the click id, recognises every copy. Work that a crash interrupts runs again.',
  'powertools-transaction':
    'Two more writes than the transaction alone. Its markers expire after 7 days, and it ignores payloads.',
  'click-tally':
    'The idempotency record is part of the transaction, and the clicks of a batch share one transaction.',
} as const;

export type Approach = keyof typeof remarks;

export const approaches = Object.keys(remarks) as Approach[];

/** The faults by their cause, in the order of the report. */
export const faultGroups = {
  copies: ['message-twice', 'event-twice', 'published-twice', 'both-in-one-batch', 'both-at-once'],
  'late copies': [
    'again-after-10-s',
    'event-after-6-min',
    'again-after-25-h',
    'again-after-8-days',
  ],
  crashes: ['crash-before-work', 'crash-mid-work', 'crash-after-work', 'timeout'],
  database: ['answer-lost', 'conflict', 'throttling'],
  payloads: ['malformed', 'changed-click', 'unknown-link'],
} satisfies Record<string, readonly Fault[]>;

/** This service. */
export const ownApproach: Approach = 'click-tally';

/** One run of the gauntlet. */
export interface Cell {
  approach: Approach;
  fault: Fault;
}

/** Lists all cells. */
export function listCells(): Cell[] {
  return approaches.flatMap((approach) => faults.map((fault) => ({ approach, fault })));
}
