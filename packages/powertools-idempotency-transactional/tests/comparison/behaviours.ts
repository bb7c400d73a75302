import { type Delivery, timeoutSeconds, type World } from './comparison-world.ts';
import type { Layer, Order } from './layers.ts';

/** What happens to a function, and what it does with each layer. */
export interface Behaviour extends Record<Layer, string> {
  title: string;
  /** The section of the documentation of Powertools' idempotency utility that describes it. */
  section?: string;
  /** The quantity that should be booked in the end. */
  due: number;
  deliveries: Delivery[];
  /** For somebody who uses Powertools now. */
  verdict: 'same' | 'better' | 'different' | 'worse';
  why: string;
}

const returns = { afterSeconds: timeoutSeconds + 1 };
const twice = (delivery: Delivery) => [delivery, delivery];

class BookingError extends Error {
  override name = 'BookingError';
}

const fail = async () => {
  throw new BookingError('the function fails');
};

class InvalidOrderError extends Error {
  override name = 'InvalidOrderError';
}

const check = ({ quantity }: Order) => {
  if (quantity <= 0) throw new InvalidOrderError(`expected a quantity above 0; got ${quantity}`);
};

/** In the order of the page: first as Powertools documents them, then what it doesn't describe. */
export const behaviours: Behaviour[] = [
  {
    title: 'An order arrives twice.',
    section: 'successful-request',
    due: 1,
    deliveries: twice({}),
    powertools: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 3 + 1',
    ours: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'same',
    why: 'A lone order costs one unit more, its duplicate three; in a batch, orders share units.',
  },
  {
    title: 'An order arrives twice in one environment, with `useLocalCache`.',
    section: 'successful-request-with-cache-enabled',
    due: 1,
    deliveries: [{ config: { useLocalCache: true }, orders: [{}, {}] }],
    powertools: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 3',
    ours: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 4',
    verdict: 'same',
    why: 'The duplicate sends no request.',
  },
  {
    title: 'An order arrives twice, with a `responseHook` that adds a field.',
    section: 'successful-request-with-responsehook-configured',
    due: 1,
    deliveries: twice({
      config: { responseHook: (response) => ({ ...Object(response), again: true }) },
    }),
    powertools: '{"booked":1} (1); {"booked":1,"again":true} (1); calls: 1, units: 3 + 1',
    ours: '{"booked":1} (1); {"booked":1,"again":true} (1); calls: 1, units: 4 + 4',
    verdict: 'same',
    why: 'Only the duplicate passes through the hook.',
  },
  {
    title: 'An order arrives again after its record has expired.',
    section: 'expired-idempotency-records',
    due: 2,
    deliveries: twice({ config: { expiresAfterSeconds: 60 }, afterSeconds: 120 }),
    powertools: '{"booked":1} (1); {"booked":1} (2); calls: 2, units: 6',
    ours: '{"booked":1} (1); {"booked":1} (2); calls: 2, units: 8 + 4',
    verdict: 'same',
    why: 'Ours needs a second request to replace an expired marker that TTL has not deleted.',
  },
  {
    title: 'An order arrives again while the function runs.',
    section: 'concurrent-identical-in-flight-requests',
    due: 1,
    deliveries: [{ begin: (world: World) => world.deliver() }],
    powertools: '{"booked":1} (1); IdempotencyAlreadyInProgressError (0); calls: 1, units: 3 + 1',
    ours: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'better',
    why: 'There is no INPROGRESS, so no attempt fails. The duplicate is answered while the first function still runs.',
  },
  {
    title:
      'The function ends before the work, as at a timeout. The order comes back at once, and after the timeout.',
    section: 'lambda-request-timeout',
    due: 1,
    deliveries: [{ crash: 'before-work' }, {}, returns],
    powertools:
      'dies (0); IdempotencyAlreadyInProgressError (0); {"booked":1} (1); calls: 2, units: 4 + 1',
    ours: 'dies (0); {"booked":1} (1); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'better',
    why: 'A dead invocation leaves no record that blocks the next one. With SQS, a visibility timeout above the function’s timeout spares Powertools the failed attempt, too.',
  },
  {
    title: 'An order without a key arrives twice, and the key is optional.',
    section: 'optional-idempotency-key',
    due: 2,
    deliveries: twice({ config: { throwOnNoIdempotencyKey: false }, orders: [{ id: undefined }] }),
    powertools: '{"booked":1} (1); {"booked":1} (2); calls: 2, units: 2',
    ours: 'at init: UnsafeConfigurationError (0); calls: 0, units: 0',
    verdict: 'different',
    why: 'Powertools would skip the layer, which has the work. A function with optional keys cannot use ours.',
  },
  {
    title: 'The function throws before its work; the order comes back.',
    section: 'handling-exceptions',
    due: 1,
    deliveries: [{ begin: fail }, {}],
    powertools: 'BookingError (0); {"booked":1} (1); calls: 2, units: 5',
    ours: 'BookingError (1); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'different',
    why: 'The function runs after the commit: its error does not undo the work, and it is not called again. Put checks in `effects`.',
  },
  {
    title: 'The function throws after its work; the order comes back.',
    section: 'handling-exceptions',
    due: 1,
    deliveries: [{ end: fail }, {}],
    powertools: 'BookingError (1); {"booked":1} (2); calls: 2, units: 6',
    ours: 'BookingError (1); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'better',
    why: 'Powertools deletes the record of work that was done.',
  },
  {
    title: 'The author’s code refuses an order.',
    section: 'handling-exceptions',
    due: 0,
    deliveries: [{ check, orders: [{ quantity: 0 }] }],
    powertools: 'InvalidOrderError (0); calls: 1, units: 2',
    ours: 'IdempotencyPersistenceLayerError (InvalidOrderError) (0); calls: 0, units: 0',
    verdict: 'different',
    why: 'The check is in `effects`, and Powertools wraps its error: handle its `cause`, or check before the call.',
  },
  {
    title:
      'DynamoDB fails at the layer’s last write, longer than the SDK retries; the order comes back.',
    section: 'handling-exceptions',
    due: 1,
    deliveries: [{ failures: 5 }, returns],
    powertools:
      'IdempotencyPersistenceLayerError (InternalServerError) (1); {"booked":1} (2); calls: 2, units: 5',
    ours: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'better',
    why: 'Record and work are one write, which the layer retries until shortly before the timeout.',
  },
  {
    title: 'An order arrives again with another quantity, with `payloadValidationJmesPath`.',
    section: 'payload-validation',
    due: 1,
    deliveries: [1, 5].map((quantity) => ({
      config: { payloadValidationJmesPath: 'quantity' },
      orders: [{ quantity }],
    })),
    powertools: '{"booked":1} (1); IdempotencyValidationError (1); calls: 1, units: 3 + 1',
    ours: '{"booked":1} (1); IdempotencyValidationError (1); calls: 1, units: 4 + 4',
    verdict: 'same',
    why: 'The change is refused, and nothing is written.',
  },
  {
    title: 'An order arrives again with another quantity, without `payloadValidationJmesPath`.',
    section: 'payload-validation',
    due: 1,
    deliveries: [1, 5].map((quantity) => ({
      config: { payloadValidationJmesPath: undefined },
      orders: [{ quantity }],
    })),
    powertools: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 3 + 1',
    ours: 'at init: UnsafeConfigurationError (0); calls: 0, units: 0',
    verdict: 'different',
    why: 'Ours asks for the path, or for `acceptChangedPayloads`, which does as Powertools.',
  },
  {
    title: 'An order without a key arrives, and the key is required.',
    section: 'making-idempotency-key-required',
    due: 0,
    deliveries: [{ config: { throwOnNoIdempotencyKey: true }, orders: [{ id: undefined }] }],
    powertools: 'IdempotencyPersistenceLayerError (IdempotencyKeyError) (0); calls: 0, units: 0',
    ours: 'IdempotencyPersistenceLayerError (IdempotencyKeyError) (0); calls: 0, units: 0',
    verdict: 'same',
    why: 'Nothing is written.',
  },
  {
    title: 'An order arrives twice, with `POWERTOOLS_IDEMPOTENCY_DISABLED`.',
    section: 'disabling-the-idempotency-utility',
    due: 2,
    deliveries: twice({ isDisabled: true }),
    powertools: '{"booked":1} (1); {"booked":1} (2); calls: 2, units: 2',
    ours: 'at init: UnsafeConfigurationError (0); calls: 0, units: 0',
    verdict: 'different',
    why: 'Without the layer, nothing would do the work. Tests of such a function need a table.',
  },
  {
    title:
      'Nobody registers the Lambda context. The function dies before the work; the order comes back after 15 minutes and after more than an hour.',
    section: 'lambda-timeouts',
    due: 1,
    deliveries: [
      { isBare: true, crash: 'before-work' },
      { isBare: true, afterSeconds: 900 },
      { isBare: true, afterSeconds: 3_600 },
    ],
    powertools:
      'dies (0); IdempotencyAlreadyInProgressError (0); {"booked":1} (1); calls: 2, units: 4 + 1',
    ours: `${'IdempotencyPersistenceLayerError (UnsafeConfigurationError) (0); '.repeat(3)}calls: 0, units: 0`,
    verdict: 'different',
    why: 'Ours refuses every order until it knows the context or its `commitTimeoutMs`. Powertools warns, and its record blocks for an hour.',
  },
  {
    title: 'An order arrives twice, with `makeHandlerIdempotent`.',
    section: 'makehandleridempotent-middy-middleware',
    due: 1,
    deliveries: twice({ wrapper: 'middy' }),
    powertools: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 3 + 1',
    ours: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'same',
    why: 'The answers are the same.',
  },
  {
    title: 'An order arrives twice, as the argument that `dataIndexArgument` names.',
    section: 'makeidempotent-function-wrapper',
    due: 1,
    deliveries: twice({ wrapper: 'second-argument' }),
    powertools: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 3 + 1',
    ours: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'same',
    why: 'The answers are the same.',
  },
  {
    title: 'Ten orders of one customer arrive in a batch.',
    section: 'batch-integration',
    due: 10,
    deliveries: [
      { inBatch: true, orders: Array.from({ length: 10 }, (_, index) => ({ id: `${index}` })) },
    ],
    powertools: '0 of 10 reported as failed (10); calls: 10, units: 30',
    ours: '0 of 10 reported as failed (10); calls: 10, units: 22',
    verdict: 'better',
    why: 'One transaction has ten markers and one increment.',
  },
  {
    title: 'An order is twice in a batch.',
    section: 'batch-integration',
    due: 2,
    deliveries: [
      {
        inBatch: true,
        orders: [{ id: 'a' }, { id: 'b' }, { id: 'a' }],
        begin: (world: World) => world.waitForRequests(),
      },
    ],
    powertools: '1 of 3 reported as failed (2); calls: 2, units: 6 + 1',
    ours: '0 of 3 reported as failed (2); calls: 2, units: 6',
    verdict: 'better',
    why: 'The duplicate is a success at once, and not a failed attempt.',
  },
  {
    title: 'One order of a batch is invalid.',
    section: 'batch-integration',
    due: 2,
    deliveries: [
      { inBatch: true, check, orders: [{ id: 'a' }, { id: 'b', quantity: 0 }, { id: 'c' }] },
    ],
    powertools: '1 of 3 reported as failed (2); calls: 3, units: 8',
    ours: '1 of 3 reported as failed (2); calls: 2, units: 6',
    verdict: 'same',
    why: 'It fails alone.',
  },
  {
    title: 'The function dies between the work and the record; the order comes back.',
    due: 1,
    deliveries: [{ crash: 'after-work' }, returns],
    powertools: 'dies (1); {"booked":1} (2); calls: 2, units: 5',
    ours: 'dies (1); {"booked":1} (1); calls: 0, units: 4 + 4',
    verdict: 'better',
    why: 'Nothing lies between work and record. The wrapped function never runs for this order.',
  },
  {
    title: 'An order comes back after two hours, as from a dead-letter queue; no expiry is set.',
    due: 1,
    deliveries: [{}, { afterSeconds: 7_200 }],
    powertools: '{"booked":1} (1); {"booked":1} (2); calls: 2, units: 6',
    ours: '{"booked":1} (1); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'better',
    why: 'Ours has no default: its expiry comes from the queue’s settings. Powertools can be given the same.',
  },
  {
    title: 'The work has a condition that fails; the order comes back when it holds.',
    due: 1,
    deliveries: [0, 1].map((unsold) => ({ work: 'if-left', unsold })),
    powertools: 'ConditionalCheckFailedException (0); {"booked":1} (1); calls: 2, units: 5 + 1',
    ours: 'IdempotencyPersistenceLayerError (ConditionFailedError) (0); {"booked":1} (1); calls: 1, units: 4 + 4',
    verdict: 'different',
    why: 'Work is declared, so a decision must be a condition of a write. Its error is the `cause`, with the item that was there.',
  },
  {
    title: 'An order arrives twice, and the answer is the new total.',
    due: 1,
    deliveries: twice({ work: 'answer-total' }),
    powertools: '{"total":1} (1); {"total":1} (1); calls: 1, units: 3 + 1',
    ours: '{"total":1} (1); no answer (1); calls: 1, units: 4 + 4',
    verdict: 'worse',
    why: 'The response is stored with the commit, so it can hold only what follows from the payload.',
  },
  {
    title:
      'The work is a call to another service. The function dies before the call; the order comes back.',
    due: 1,
    deliveries: [
      { work: 'call-service', crash: 'before-work' },
      { work: 'call-service', ...returns },
    ],
    powertools: 'dies (0); {"booked":1} (1); calls: 2, units: 3',
    ours: 'dies (0); {"booked":1} (0); calls: 1, units: 2 + 2',
    verdict: 'worse',
    why: 'Ours covers work in DynamoDB only: it lost this call. Keep Powertools, or write an item whose stream makes the call.',
  },
  {
    title:
      'The work is a call to another service. The function dies after the call; the order comes back.',
    due: 1,
    deliveries: [
      { work: 'call-service', crash: 'after-work' },
      { work: 'call-service', ...returns },
    ],
    powertools: 'dies (1); {"booked":1} (2); calls: 2, units: 3',
    ours: 'dies (1); {"booked":1} (1); calls: 1, units: 2 + 2',
    verdict: 'different',
    why: 'Powertools calls at least once, ours at most once. Neither is exactly once without a key that the service knows.',
  },
];
