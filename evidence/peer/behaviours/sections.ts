import { type Behaviour, saw } from '../behaviour.ts';
import type { Environment } from '../environment.ts';
import type { Order } from '../side.ts';
import { timeoutSeconds } from '../world.ts';

const answer = '{"booked":1}';
const bypassRefused = 'at init: UnsafeConfigurationError';

class InvalidOrderError extends Error {
  override name = 'InvalidOrderError';
}

const check = ({ quantity }: Order) => {
  if (quantity <= 0) throw new InvalidOrderError(`expected a quantity above 0; got ${quantity}`);
};

/** Lets every record of a batch ask for its lock before the first does its work. */
const waitForLocks = async (environment: Environment) => {
  while (environment.underWay > 0) await new Promise((resolve) => setImmediate(resolve));
};

/** What else the documentation describes. */
export const sections: Behaviour[] = [
  {
    name: 'invalid-payload',
    title: 'The author’s code refuses an order.',
    section: 'handling-exceptions',
    due: 0,
    play: (world) => world.start({ check }).deliver({ quantity: 0 }),
    stock: saw([['InvalidOrderError', 0]], { calls: 1, units: 2 }),
    ours: saw([['IdempotencyPersistenceLayerError (InvalidOrderError)', 0]], {
      calls: 0,
      units: 0,
    }),
    verdict: 'different',
    why: 'The check is in `effects`, and Powertools wraps its error: handle its `cause`, or check before the call.',
  },
  {
    name: 'record-write-fails',
    title: 'DynamoDB throttles the layer’s last write longer than the SDK retries; the order comes back.',
    section: 'handling-exceptions',
    due: 1,
    async play(world) {
      await world.start({ throttled: 5 }).deliver();
      world.advance(timeoutSeconds + 1);
      await world.start().deliver();
    },
    stock: saw(
      [
        ['IdempotencyPersistenceLayerError (ThrottlingException)', 1],
        [answer, 2],
      ],
      { calls: 2, units: 5 },
    ),
    ours: saw(
      [
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'better',
    why: 'Record and work are one write, which the layer retries until shortly before the timeout.',
  },
  {
    name: 'changed-payload',
    title: 'The order arrives again with another quantity, with `payloadValidationJmesPath`.',
    section: 'payload-validation',
    due: 1,
    async play(world) {
      const config = { payloadValidationJmesPath: 'quantity' };
      await world.start({ config }).deliver();
      await world.start({ config }).deliver({ quantity: 5 });
    },
    stock: saw(
      [
        [answer, 1],
        ['IdempotencyValidationError', 1],
      ],
      { calls: 1, units: 3, refusedUnits: 1 },
    ),
    ours: saw(
      [
        [answer, 1],
        ['IdempotencyValidationError', 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'same',
    why: 'The change is refused, and nothing is written.',
  },
  {
    name: 'changed-payload-unchecked',
    title: 'The same, without it.',
    section: 'payload-validation',
    due: 1,
    async play(world) {
      const config = { payloadValidationJmesPath: undefined };
      await world.start({ config }).deliver();
      await world.start({ config }).deliver({ quantity: 5 });
    },
    stock: saw(
      [
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 3, refusedUnits: 1 },
    ),
    ours: saw([[bypassRefused, 0]], { calls: 0, units: 0 }),
    verdict: 'different',
    why: 'Ours asks for the path, or for `acceptChangedPayloads`, which does as stock.',
  },
  {
    name: 'required-key',
    title: 'An order without a key arrives, and the key is required.',
    section: 'making-idempotency-key-required',
    due: 0,
    play: (world) =>
      world.start({ config: { throwOnNoIdempotencyKey: true } }).deliver({ id: undefined }),
    stock: saw([['IdempotencyPersistenceLayerError (IdempotencyKeyError)', 0]], {
      calls: 0,
      units: 0,
    }),
    ours: saw([['IdempotencyPersistenceLayerError (IdempotencyKeyError)', 0]], {
      calls: 0,
      units: 0,
    }),
    verdict: 'same',
    why: 'Nothing is written.',
  },
  {
    name: 'disabled',
    title: 'An order arrives twice, with `POWERTOOLS_IDEMPOTENCY_DISABLED`.',
    section: 'disabling-idempotency-utility',
    due: 2,
    async play(world) {
      process.env.POWERTOOLS_IDEMPOTENCY_DISABLED = 'true';
      try {
        await world.start().deliver();
        await world.start().deliver();
      } finally {
        delete process.env.POWERTOOLS_IDEMPOTENCY_DISABLED;
      }
    },
    stock: saw(
      [
        [answer, 1],
        [answer, 2],
      ],
      { calls: 2, units: 2 },
    ),
    ours: saw([[bypassRefused, 0]], { calls: 0, units: 0 }),
    verdict: 'different',
    why: 'Without the layer, nothing would do the work. Tests of such a function need a table.',
  },
  {
    name: 'no-context',
    title:
      'Nobody registers the Lambda context. The function dies before the work; the order comes back after 15 minutes and after more than an hour.',
    section: 'lambda-timeouts',
    due: 1,
    async play(world) {
      await world.start({ crash: 'before-work' }).deliver({}, { isBare: true });
      world.advance(900);
      await world.start().deliver({}, { isBare: true });
      world.advance(3_600);
      await world.start().deliver({}, { isBare: true });
    },
    stock: saw(
      [
        ['dies', 0],
        ['IdempotencyAlreadyInProgressError', 0],
        [answer, 1],
      ],
      { calls: 2, units: 4, refusedUnits: 1 },
    ),
    ours: saw(
      [
        ['IdempotencyPersistenceLayerError (UnsafeConfigurationError)', 0],
        ['IdempotencyPersistenceLayerError (UnsafeConfigurationError)', 0],
        ['IdempotencyPersistenceLayerError (UnsafeConfigurationError)', 0],
      ],
      { calls: 0, units: 0 },
    ),
    verdict: 'different',
    why: 'Ours refuses every order until it knows the context or its `commitTimeoutMs`. Stock warns, and its record blocks for an hour.',
  },
];

/** The documentation's other ways to wrap a function, and batches. */
export const integrations: Behaviour[] = [
  {
    name: 'middy',
    title: 'An order arrives twice, with `makeHandlerIdempotent`.',
    section: 'makehandleridempotent-middy-middleware',
    due: 1,
    async play(world) {
      await world.start({ wrapper: 'middy' }).deliver();
      await world.start({ wrapper: 'middy' }).deliver();
    },
    stock: saw(
      [
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 3, refusedUnits: 1 },
    ),
    ours: saw(
      [
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'same',
    why: 'The answers are the same.',
  },
  {
    name: 'second-argument',
    title: 'An order arrives twice, as the argument that `dataIndexArgument` names.',
    section: 'makeidempotent-function-wrapper',
    due: 1,
    async play(world) {
      await world.start({ wrapper: 'second-argument' }).deliver();
      await world.start({ wrapper: 'second-argument' }).deliver();
    },
    stock: saw(
      [
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 3, refusedUnits: 1 },
    ),
    ours: saw(
      [
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'same',
    why: 'The answers are the same.',
  },
  {
    name: 'batch',
    title: 'Ten orders of one customer arrive in a batch.',
    section: 'batch-integration',
    due: 10,
    play: (world) =>
      world.start().deliverBatch(Array.from({ length: 10 }, (_, index) => ({ id: `${index}` }))),
    stock: saw([['0 of 10 reported as failed', 10]], { calls: 10, units: 30 }),
    ours: saw([['0 of 10 reported as failed', 10]], { calls: 10, units: 22 }),
    verdict: 'better',
    why: 'One transaction has ten markers and one increment.',
  },
  {
    name: 'duplicate-in-batch',
    title: 'An order is twice in a batch.',
    section: 'batch-integration',
    due: 2,
    play: (world) =>
      world.start({ begin: waitForLocks }).deliverBatch([{ id: 'a' }, { id: 'b' }, { id: 'a' }]),
    stock: saw([['1 of 3 reported as failed', 2]], { calls: 2, units: 6, refusedUnits: 1 }),
    ours: saw([['0 of 3 reported as failed', 2]], { calls: 2, units: 6 }),
    verdict: 'better',
    why: 'The duplicate is a success at once, and not a failed attempt.',
  },
  {
    name: 'invalid-in-batch',
    title: 'One order of a batch is invalid.',
    section: 'batch-integration',
    due: 2,
    play: (world) =>
      world.start({ check }).deliverBatch([{ id: 'a' }, { id: 'b', quantity: 0 }, { id: 'c' }]),
    stock: saw([['1 of 3 reported as failed', 2]], { calls: 3, units: 8 }),
    ours: saw([['1 of 3 reported as failed', 2]], { calls: 2, units: 6 }),
    verdict: 'same',
    why: 'It fails alone.',
  },
];
