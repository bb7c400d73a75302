/** What happens to a function, for the table. */
export interface Behaviour {
  title: string;
  /** The section of the documentation of Powertools' idempotency utility that describes it. */
  section?: string;
  /** The number of the issue in Powertools' repository that reports it. */
  issue?: number;
  /** The quantity that should be booked in the end. */
  due: number;
  deliveries: Delivery[];
  /** For somebody who uses Powertools now. */
  verdict: 'same' | 'better' | 'different' | 'worse';
  why: string;
}

/** An order that reaches the function in an environment of its own. */
export interface Delivery {
  /** After the delivery before it. */
  afterSeconds?: number;
  /** The order has no idempotency key, and needs none. */
  isKeyless?: boolean;
  quantity?: number;
  expiresAfterSeconds?: number;
  /** No path for payload validation is set. */
  isUnvalidated?: boolean;
  isDisabled?: boolean;
  /** Increments a total by default. */
  work?: 'answer-total' | 'call-service';
  /** When the environment dies. */
  crash?: 'before-work' | 'after-work';
  /** When the function throws. */
  fails?: 'before-work' | 'after-work';
  /** The same order is delivered again before the work. */
  isOvertaken?: boolean;
  /** The function gives its order another id after the work. */
  changesInput?: boolean;
  /** The function is a handler with Powertools' Middy middleware. */
  isMiddleware?: boolean;
}

export const timeoutSeconds = 30;

const afterTimeout = { afterSeconds: timeoutSeconds + 1 };
const twice = (delivery: Delivery) => [delivery, delivery];

/** In the order of the page: first as Powertools documents them, then what it doesn't describe. */
export const behaviours: Behaviour[] = [
  {
    title: 'An order arrives twice.',
    section: 'successful-request',
    due: 1,
    deliveries: twice({}),
    verdict: 'same',
    why: 'The duplicate gets the first answer.',
  },
  {
    title: 'An order arrives again after its record has expired.',
    section: 'expired-idempotency-records',
    due: 2,
    deliveries: twice({ expiresAfterSeconds: 60, afterSeconds: 120 }),
    verdict: 'same',
    why: 'An expired record does not count, even if TTL has not deleted it yet.',
  },
  {
    title: 'An order arrives again while the function runs.',
    section: 'concurrent-identical-in-flight-requests',
    due: 1,
    deliveries: [{ isOvertaken: true }],
    verdict: 'better',
    why: 'There is no INPROGRESS, so no attempt fails. The duplicate is answered while the first function still runs.',
  },
  {
    title:
      'The function ends before the work, as at a timeout. The order comes back at once, and after the timeout.',
    section: 'lambda-request-timeout',
    due: 1,
    deliveries: [{ crash: 'before-work' }, {}, afterTimeout],
    verdict: 'better',
    why: 'A dead invocation leaves no record that blocks the next one. With SQS, a visibility timeout above the function’s timeout spares Powertools the failed attempt, too.',
  },
  {
    title: 'An order without a key arrives twice, and the key is optional.',
    section: 'optional-idempotency-key',
    due: 2,
    deliveries: twice({ isKeyless: true }),
    verdict: 'different',
    why: 'Powertools skips the layer, and ours does the work. A function with optional keys cannot use ours.',
  },
  {
    title: 'The function throws before its work; the order comes back.',
    section: 'handling-exceptions',
    due: 1,
    deliveries: [{ fails: 'before-work' }, {}],
    verdict: 'different',
    why: 'The function runs after the commit. Its error does not undo the work, and it is not called again.',
  },
  {
    title: 'The function throws after its work; the order comes back.',
    section: 'handling-exceptions',
    due: 1,
    deliveries: [{ fails: 'after-work' }, {}],
    verdict: 'better',
    why: 'Powertools deletes the record of work that was done.',
  },
  {
    title: 'The author’s code refuses an order.',
    section: 'handling-exceptions',
    due: 0,
    deliveries: [{ quantity: 0 }],
    verdict: 'different',
    why: 'The check is in `effects`, and Powertools wraps its error: handle its `cause`, or check before the call.',
  },
  {
    title: 'An order arrives again with another quantity, with `payloadValidationJmesPath`.',
    section: 'payload-validation',
    due: 1,
    deliveries: [{ quantity: 1 }, { quantity: 5 }],
    verdict: 'same',
    why: 'The change is refused, and nothing is written.',
  },
  {
    title: 'An order arrives again with another quantity, without `payloadValidationJmesPath`.',
    section: 'payload-validation',
    due: 1,
    deliveries: [1, 5].map((quantity) => ({ quantity, isUnvalidated: true })),
    verdict: 'different',
    why: 'Ours requires the path, or `acceptChangedPayloads`, which does as Powertools.',
  },
  {
    title: 'An order arrives twice, with `POWERTOOLS_IDEMPOTENCY_DISABLED`.',
    section: 'disabling-the-idempotency-utility',
    due: 2,
    deliveries: twice({ isDisabled: true }),
    verdict: 'different',
    why: 'Without the layer, nothing would do the work. Tests of such a function need a table.',
  },
  {
    title: 'The function dies between the work and the record; the order comes back.',
    due: 1,
    deliveries: [{ crash: 'after-work' }, afterTimeout],
    verdict: 'better',
    why: 'Record and work are one write. The wrapped function never runs for this order.',
  },
  {
    title: 'The function changes its input after the work; the order comes back.',
    issue: 5715,
    due: 1,
    deliveries: [{ changesInput: true }, {}, afterTimeout],
    verdict: 'better',
    why: 'Powertools completes another record. Ours has committed before the function runs.',
  },
  {
    title:
      'With the Middy middleware, an order arrives again with another quantity, and then as it was.',
    issue: 5675,
    due: 1,
    deliveries: [1, 5, 1].map((quantity) => ({ quantity, isMiddleware: true })),
    verdict: 'better',
    why: 'Powertools deletes the record when it refuses the change. Ours never deletes one.',
  },
  {
    title: 'An order comes back after two hours, as from a dead-letter queue; no expiry is set.',
    due: 1,
    deliveries: [{}, { afterSeconds: 7_200 }],
    verdict: 'better',
    why: 'Ours has no default: its expiry comes from the queue’s settings. Powertools can be given the same.',
  },
  {
    title: 'An order arrives twice, and the answer is the new total.',
    due: 1,
    deliveries: twice({ work: 'answer-total' }),
    verdict: 'worse',
    why: 'The response is stored with the commit, so it can hold only what follows from the payload.',
  },
  {
    title:
      'The work is a call to another service. The function dies before the call; the order comes back.',
    due: 1,
    deliveries: [
      { work: 'call-service', crash: 'before-work' },
      { work: 'call-service', ...afterTimeout },
    ],
    verdict: 'worse',
    why: 'Ours covers work in DynamoDB only: it lost this call. Keep Powertools, or write an item whose stream makes the call.',
  },
  {
    title:
      'The work is a call to another service. The function dies after the call; the order comes back.',
    due: 1,
    deliveries: [
      { work: 'call-service', crash: 'after-work' },
      { work: 'call-service', ...afterTimeout },
    ],
    verdict: 'different',
    why: 'Powertools calls at least once, ours at most once. Neither is exactly once without a key that the service knows.',
  },
];
