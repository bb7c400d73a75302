/** The approaches, in the order of the report. Each is a file in approaches/. */
export const approaches = [
  'naive',
  'claim-message-id',
  'claim-short-ttl',
  'claim-event-id',
  'work-then-record',
  'hand-rolled',
  'hand-rolled-careful',
  'hand-rolled-click-id',
  'fifo',
  'powertools',
  'powertools-transaction',
  'click-tally',
] as const;

export type Approach = (typeof approaches)[number];

/** This service. */
export const ownApproach: Approach = 'click-tally';

/** The faults, in the order of the report. docs/compare.md says what happens in each. */
export const faults = [
  'none',
  'message-twice',
  'event-twice',
  'published-twice',
  'both-in-one-batch',
  'both-at-once',
  'again-after-10-s',
  'again-after-25-h',
  'again-after-8-days',
  'event-after-6-min',
  'crash-before-work',
  'crash-mid-work',
  'crash-after-work',
  'answer-lost',
  'conflict',
  'throttling',
  'malformed',
  'changed-click',
  'unknown-link',
  'timeout',
] as const;

export type Fault = (typeof faults)[number];

/** One run of the gauntlet. */
export interface Cell {
  approach: Approach;
  fault: Fault;
}

/** Lists all cells. */
export function listCells(): Cell[] {
  return approaches.flatMap((approach) => faults.map((fault) => ({ approach, fault })));
}
