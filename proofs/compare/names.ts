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

/** The faults, in the order of the report: what happens, and why it happens on AWS. */
export const faults = {
  none: {
    what: 'Nothing goes wrong.',
    why: 'Each message arrives once, and each request succeeds.',
  },
  'message-twice': {
    what: 'SQS delivers a message twice.',
    why: 'A standard queue delivers each message at least once.',
  },
  'event-twice': {
    what: 'EventBridge delivers an event as two messages.',
    why: 'EventBridge delivers to a target at least once.',
  },
  'published-twice': {
    what: 'A click is published twice: two event ids, one click id.',
    why: 'PutEvents timed out, so the producer sent the click again.',
  },
  'both-in-one-batch': {
    what: 'Both messages of an event are in one batch.',
    why: 'Lambda fills a batch with whatever waits in the queue.',
  },
  'both-at-once': {
    what: 'Two instances handle the same messages at the same time.',
    why: 'The visibility timeout ended before the first had finished.',
  },
  'again-after-10-s': {
    what: 'A handled message comes back after 10 seconds.',
    why: 'An SQS server was down and did not delete its copy.',
  },
  'again-after-25-h': {
    what: 'A handled message comes back after 25 hours.',
    why: 'Its deletion was lost, and nothing polled for a day.',
  },
  'again-after-8-days': {
    what: 'A handled message comes back as a new one after 8 days.',
    why: 'It was a copy in the dead-letter queue, and was redriven.',
  },
  'event-after-6-min': {
    what: 'EventBridge delivers an event again after 6 minutes.',
    why: 'It retries for 24 hours; FIFO drops copies for 5 minutes.',
  },
  'crash-before-work': {
    what: "The process dies before a click's work, after any claim.",
    why: 'A function that runs out of memory dies at any line.',
  },
  'crash-mid-work': {
    what: "The process dies in the middle of a click's work.",
    why: 'Two writes are two requests, and a crash can come between them.',
  },
  'crash-after-work': {
    what: 'The process dies after the work, before it returns.',
    why: 'Lambda deletes messages only after the function returns.',
  },
  'answer-lost': {
    what: 'The database (or payment API) acts, but its answer is lost.',
    why: 'A connection breaks after the write, and the SDK retries.',
  },
  conflict: {
    what: 'Other transactions write to the hot link.',
    why: 'DynamoDB then cancels one with TransactionConflict.',
  },
  throttling: {
    what: 'DynamoDB throttles the hot link longer than the SDK retries.',
    why: 'A link is in one partition: 1,000 write units a second.',
  },
  malformed: {
    what: 'Some of the messages are invalid clicks.',
    why: 'A producer has a bug, or a message was sent by hand.',
  },
  'changed-click': {
    what: 'Another click is sent under the id of one that was counted.',
    why: 'A producer reuses an id, or sends corrected data under it.',
  },
  'unknown-link': {
    what: 'Some of the clicks are on links that do not exist.',
    why: 'A producer sends a wrong code, and EventBridge delivers it.',
  },
  timeout: {
    what: 'The database (or payment API) stops answering.',
    why: 'The network loses packets until the function times out.',
  },
} as const;

export type Fault = keyof typeof faults;

/** The effect of a click: two plain increments, or a charge without or with the approach's key. */
export type Effect = 'count' | 'charge' | 'charge-with-key';

/** One run of the gauntlet. */
export interface Cell {
  approach: Approach;
  fault: Fault;
  effect: Effect;
}

// The other approaches write once and cannot include a call to another service.
const charging: Approach[] = [
  'claim-message-id',
  'claim-short-ttl',
  'claim-event-id',
  'work-then-record',
  'powertools',
];

// A charge has no transaction that could conflict, and no link that could be missing or another.
const notForCharges: Fault[] = ['conflict', 'unknown-link', 'changed-click'];

/** Lists all cells. */
export function listCells(): Cell[] {
  const faultNames = Object.keys(faults) as Fault[];
  const chargeable = faultNames.filter((fault) => !notForCharges.includes(fault));
  return [
    ...approaches.flatMap((approach) =>
      faultNames.map((fault): Cell => ({ approach, fault, effect: 'count' })),
    ),
    ...charging.flatMap((approach) =>
      chargeable.flatMap((fault): Cell[] => [
        { approach, fault, effect: 'charge' },
        { approach, fault, effect: 'charge-with-key' },
      ]),
    ),
  ];
}
