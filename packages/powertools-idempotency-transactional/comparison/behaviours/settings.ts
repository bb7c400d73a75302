import { type Behaviour, saw } from '../behaviour.ts';

const answer = '{"booked":1}';
const refusedAtInit = 'at init: UnsafeConfigurationError';

/** Payloads, keys and other settings. */
export const settings: Behaviour[] = [
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
    ours: saw([[refusedAtInit, 0]], { calls: 0, units: 0 }),
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
    section: 'disabling-the-idempotency-utility',
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
    ours: saw([[refusedAtInit, 0]], { calls: 0, units: 0 }),
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
