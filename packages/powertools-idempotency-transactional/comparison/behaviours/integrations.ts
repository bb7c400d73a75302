import { type Behaviour, saw } from '../behaviour.ts';
import type { Environment } from '../environment.ts';
import { check } from './check.ts';

const answer = '{"booked":1}';

/** Lets every record of a batch ask for its lock before the first does its work. */
const waitForLocks = async (environment: Environment) => {
  while (environment.underWay > 0) await new Promise((resolve) => setImmediate(resolve));
};

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
