/** The approaches, in the order in which they are shown; each is a file in approaches/. */
export const approaches = [
  'naive',
  'claim-message-id',
  'claim-short-ttl',
  'claim-event-id',
  'work-then-record',
  'hand-rolled',
  'hand-rolled-careful',
  'fifo',
  'powertools',
  'powertools-transaction',
  'click-tally',
] as const;

export type Approach = (typeof approaches)[number];

/** What goes wrong, and what is said of it. */
export const faults = {
  none: 'Nothing goes wrong.',
  'message-twice': 'SQS delivers a message a second time, right after the first.',
  'event-twice': 'The bus delivers an event as two messages.',
  'published-twice': 'The producer publishes twice: two event ids, one click id.',
  'both-in-one-batch': 'Both messages of an event are in one batch.',
  'both-at-once': 'Two workers are given the same messages and take turns, request by request.',
  'again-after-10-s': 'A message whose deletion was lost comes back after 10 seconds.',
  'again-after-25-h': 'A message whose deletion was lost comes back after 25 hours.',
  'event-after-6-min': "The bus delivers an event again after 6 minutes, outside FIFO's 5.",
  'crash-before-work': 'The process is killed after the claim, before the work.',
  'crash-mid-work': 'The process is killed in the middle of the work.',
  'crash-after-work': 'The process is killed after the work, before the answer.',
  'answer-lost': 'DynamoDB (or the payment API) does as asked, but its answer is lost.',
  conflict: 'Other transactions hold the hot link: bursts of TransactionConflict.',
  throttling: 'The hot link is throttled for longer than the SDK keeps trying.',
  malformed: 'Malformed messages are among the good ones.',
  'unknown-link': 'Clicks of links that do not exist are among the good ones.',
  timeout: 'DynamoDB (or the payment API) stops answering until the function times out.',
} as const;

export type Fault = keyof typeof faults;

/** What an approach protects: two plain increments, or a charge without or with its key passed on. */
export type Effect = 'count' | 'charge' | 'charge-with-key';

/** One run of the gauntlet. */
export type Cell = { approach: Approach; fault: Fault; effect: Effect };

// The others cannot put a call to somewhere else into their one write.
const charging: Approach[] = [
  'claim-message-id',
  'claim-short-ttl',
  'claim-event-id',
  'work-then-record',
  'powertools',
];

// A charge has neither a transaction to conflict with nor a link that could be missing.
const notForCharges: Fault[] = ['conflict', 'unknown-link'];

/** Every cell there is. */
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
