import { type Behaviour, saw } from '../behaviour.ts';
import { timeoutSeconds } from '../world.ts';

const answer = '{"booked":1}';

/** What the documentation does not describe. */
export const beyond: Behaviour[] = [
  {
    name: 'crash-after-work',
    title: 'The function dies between the work and the record; the order comes back.',
    due: 1,
    async play(world) {
      await world.start({ crash: 'after-work' }).deliver();
      world.advance(timeoutSeconds + 1);
      await world.start().deliver();
    },
    stock: saw(
      [
        ['dies', 1],
        [answer, 2],
      ],
      { calls: 2, units: 5 },
    ),
    ours: saw(
      [
        ['dies', 1],
        [answer, 1],
      ],
      { calls: 0, units: 4, refusedUnits: 4 },
    ),
    verdict: 'better',
    why: 'Nothing lies between work and record. The wrapped function never runs for this order.',
  },
  {
    name: 'default-hour',
    title: 'The order comes back after two hours, as from a dead-letter queue; no expiry is set.',
    due: 1,
    async play(world) {
      await world.start().deliver();
      world.advance(7_200);
      await world.start().deliver();
    },
    stock: saw(
      [
        [answer, 1],
        [answer, 2],
      ],
      { calls: 2, units: 6 },
    ),
    ours: saw(
      [
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'better',
    why: 'Ours has no default: its expiry comes from the queue’s settings. Stock can be given the same.',
  },
  {
    name: 'sold-out',
    title: 'The work has a condition that fails; the order comes back when it holds.',
    due: 1,
    async play(world) {
      await world.stockUp(0);
      await world.start({ work: 'if-left' }).deliver();
      await world.stockUp(1);
      await world.start({ work: 'if-left' }).deliver();
    },
    stock: saw(
      [
        ['ConditionalCheckFailedException', 0],
        [answer, 1],
      ],
      { calls: 2, units: 5, refusedUnits: 1 },
    ),
    ours: saw(
      [
        ['IdempotencyPersistenceLayerError (ConditionFailedError)', 0],
        [answer, 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'different',
    why: 'Work is declared, so a decision must be a condition of a write. Its error is the `cause`, with the item that was there.',
  },
  {
    name: 'answer-of-the-work',
    title: 'An order arrives twice, and the answer is the new total.',
    due: 1,
    async play(world) {
      await world.start({ work: 'answer-total' }).deliver();
      await world.start({ work: 'answer-total' }).deliver();
    },
    stock: saw(
      [
        ['{"total":1}', 1],
        ['{"total":1}', 1],
      ],
      { calls: 1, units: 3, refusedUnits: 1 },
    ),
    ours: saw(
      [
        ['{"total":1}', 1],
        ['no answer', 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'worse',
    why: 'The response is stored with the commit, so it can hold only what follows from the payload.',
  },
  {
    name: 'service-crash-before',
    title:
      'The work is a call to another service. The function dies before the call; the order comes back.',
    due: 1,
    async play(world) {
      await world.start({ work: 'call-service', crash: 'before-work' }).deliver();
      world.advance(timeoutSeconds + 1);
      await world.start({ work: 'call-service' }).deliver();
    },
    stock: saw(
      [
        ['dies', 0],
        [answer, 1],
      ],
      { calls: 2, units: 3 },
    ),
    ours: saw(
      [
        ['dies', 0],
        [answer, 0],
      ],
      { calls: 1, units: 2, refusedUnits: 2 },
    ),
    verdict: 'worse',
    why: 'Ours covers work in DynamoDB only: it lost this call. Keep stock, or write an item whose stream makes the call.',
  },
  {
    name: 'service-crash-after',
    title: 'The same, and it dies after the call.',
    due: 1,
    async play(world) {
      await world.start({ work: 'call-service', crash: 'after-work' }).deliver();
      world.advance(timeoutSeconds + 1);
      await world.start({ work: 'call-service' }).deliver();
    },
    stock: saw(
      [
        ['dies', 1],
        [answer, 2],
      ],
      { calls: 2, units: 3 },
    ),
    ours: saw(
      [
        ['dies', 1],
        [answer, 1],
      ],
      { calls: 1, units: 2, refusedUnits: 2 },
    ),
    verdict: 'different',
    why: 'Stock calls at least once, ours at most once. Neither is exactly once without a key that the service knows.',
  },
];
