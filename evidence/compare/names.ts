/** The approaches, in the order of the report. Each is a file in approaches/. */
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

/** The faults, each with its description in the report. */
export const faults = {
  none: 'No fault is injected.',
  'message-twice': 'SQS redelivers a message at once.',
  'event-twice': 'The bus delivers an event as two messages.',
  'published-twice': 'The producer publishes a click twice: two event ids, one click id.',
  'both-in-one-batch': 'Both messages of an event are in one batch.',
  'both-at-once':
    'Two function instances receive the same messages and take turns, request by request.',
  'again-after-10-s': 'The deletion of a message is lost, and SQS redelivers it after 10 seconds.',
  'again-after-25-h': 'The deletion of a message is lost, and SQS redelivers it after 25 hours.',
  'event-after-6-min':
    "The bus delivers an event again after 6 minutes, outside FIFO's 5-minute interval.",
  'crash-before-work':
    'The process is killed before the work of a click, and after its claim if there is one.',
  'crash-mid-work': 'The process is killed in the middle of the work of a click.',
  'crash-after-work':
    'The process is killed after the work of a click, before the function returns.',
  'answer-lost': 'DynamoDB (or the payment API) executes the request, but its answer is lost.',
  conflict: 'Other transactions touch the hot link: bursts of TransactionConflict.',
  throttling: 'DynamoDB throttles the hot link for longer than the SDK retries.',
  malformed: 'Invalid clicks are among the good ones.',
  'unknown-link': 'Clicks of links that do not exist are among the good ones.',
  timeout: 'DynamoDB (or the payment API) stops answering until the function times out.',
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

// A charge has no transaction that could conflict, and no link that could be missing.
const notForCharges: Fault[] = ['conflict', 'unknown-link'];

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
