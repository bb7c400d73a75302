import { type Behaviour, saw } from '../behaviour.ts';
import { timeoutSeconds } from '../world.ts';
import { check } from './check.ts';

const answer = '{"booked":1}';

class BookingError extends Error {
  override name = 'BookingError';
}

const fail = async () => {
  throw new BookingError('the function fails');
};

/** Errors: a diagram and its section. */
export const errors: Behaviour[] = [
  {
    name: 'exception',
    title: 'The function throws before its work; the order comes back.',
    section: 'handling-exceptions',
    due: 1,
    async play(world) {
      await world.start({ begin: fail }).deliver();
      await world.start().deliver();
    },
    stock: saw(
      [
        ['BookingError', 0],
        [answer, 1],
      ],
      { calls: 2, units: 5 },
    ),
    ours: saw(
      [
        ['BookingError', 1],
        [answer, 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'different',
    why: 'The function runs after the commit: its error does not undo the work, and it is not called again. Put checks in `effects`.',
  },
  {
    name: 'exception-after-work',
    title: 'The function throws after its work; the order comes back.',
    section: 'handling-exceptions',
    due: 1,
    async play(world) {
      await world.start({ end: fail }).deliver();
      await world.start().deliver();
    },
    stock: saw(
      [
        ['BookingError', 1],
        [answer, 2],
      ],
      { calls: 2, units: 6 },
    ),
    ours: saw(
      [
        ['BookingError', 1],
        [answer, 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'better',
    why: 'Stock deletes the record of work that was done.',
  },
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
    title:
      'DynamoDB fails at the layer’s last write, longer than the SDK retries; the order comes back.',
    section: 'handling-exceptions',
    due: 1,
    async play(world) {
      await world.start({ failures: 5 }).deliver();
      world.advance(timeoutSeconds + 1);
      await world.start().deliver();
    },
    stock: saw(
      [
        ['IdempotencyPersistenceLayerError (InternalServerError)', 1],
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
];
