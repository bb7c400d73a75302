import { type Behaviour, saw } from '../behaviour.ts';
import { timeoutSeconds } from '../world.ts';

const answer = '{"booked":1}';
const inProgress = 'IdempotencyAlreadyInProgressError';

/** The diagrams under "Idempotency request flow", in their order. */
export const requestFlows: Behaviour[] = [
  {
    name: 'successful-request',
    title: 'An order arrives, and again.',
    section: 'successful-request',
    due: 1,
    async play(world) {
      await world.start().deliver();
      await world.start().deliver();
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
    why: 'A lone order costs one unit more, its duplicate three; in a batch, orders share units.',
  },
  {
    name: 'local-cache',
    title: 'It arrives again in the same environment, with `useLocalCache`.',
    section: 'successful-request-with-cache-enabled',
    due: 1,
    async play(world) {
      const { deliver } = world.start({ config: { useLocalCache: true } });
      await deliver();
      await deliver();
    },
    stock: saw(
      [
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 3 },
    ),
    ours: saw(
      [
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 4 },
    ),
    verdict: 'same',
    why: 'The duplicate sends no request.',
  },
  {
    name: 'response-hook',
    title: 'It arrives again, with a `responseHook` that adds a field.',
    section: 'successful-request-with-responsehook-configured',
    due: 1,
    async play(world) {
      const config = {
        responseHook: (response: unknown) => ({ ...Object(response), again: true }),
      };
      await world.start({ config }).deliver();
      await world.start({ config }).deliver();
    },
    stock: saw(
      [
        [answer, 1],
        ['{"booked":1,"again":true}', 1],
      ],
      { calls: 1, units: 3, refusedUnits: 1 },
    ),
    ours: saw(
      [
        [answer, 1],
        ['{"booked":1,"again":true}', 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'same',
    why: 'Only the duplicate passes through the hook.',
  },
  {
    name: 'expired-record',
    title: 'It arrives again after its record has expired.',
    section: 'expired-idempotency-records',
    due: 2,
    async play(world) {
      const config = { expiresAfterSeconds: 60 };
      await world.start({ config }).deliver();
      world.advance(120);
      await world.start({ config }).deliver();
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
        [answer, 2],
      ],
      { calls: 2, units: 8, refusedUnits: 4 },
    ),
    verdict: 'same',
    why: 'Ours needs a second request to replace an expired marker that TTL has not deleted.',
  },
  {
    name: 'concurrent-requests',
    title: 'It arrives again while the function runs.',
    section: 'concurrent-identical-in-flight-requests',
    due: 1,
    async play(world) {
      const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const begin = async () => {
        begun.resolve();
        await release.promise;
      };
      const first = world.start({ begin }).deliver();
      await begun.promise;
      await world.start().deliver();
      release.resolve();
      await first;
    },
    stock: saw(
      [
        [answer, 1],
        [inProgress, 0],
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
    verdict: 'better',
    why: 'There is no INPROGRESS, so no attempt fails. The duplicate is answered while the first function still runs.',
  },
  {
    name: 'timeout',
    title:
      'The function ends before the work, as at a timeout. The order comes back at once, and after the timeout.',
    section: 'lambda-request-timeout',
    due: 1,
    async play(world) {
      await world.start({ crash: 'before-work' }).deliver();
      await world.start().deliver();
      world.advance(timeoutSeconds + 1);
      await world.start().deliver();
    },
    stock: saw(
      [
        ['dies', 0],
        [inProgress, 0],
        [answer, 1],
      ],
      { calls: 2, units: 4, refusedUnits: 1 },
    ),
    ours: saw(
      [
        ['dies', 0],
        [answer, 1],
        [answer, 1],
      ],
      { calls: 1, units: 4, refusedUnits: 4 },
    ),
    verdict: 'better',
    why: 'A dead invocation leaves no record that blocks the next one. With SQS, a visibility timeout above the function’s timeout spares stock the failed attempt, too.',
  },
  {
    name: 'optional-key',
    title: 'An order without a key arrives twice, and the key is optional.',
    section: 'optional-idempotency-key',
    due: 2,
    async play(world) {
      const config = { throwOnNoIdempotencyKey: false };
      await world.start({ config }).deliver({ id: undefined });
      await world.start({ config }).deliver({ id: undefined });
    },
    stock: saw(
      [
        [answer, 1],
        [answer, 2],
      ],
      { calls: 2, units: 2 },
    ),
    ours: saw([['at init: UnsafeConfigurationError', 0]], { calls: 0, units: 0 }),
    verdict: 'different',
    why: 'Powertools would skip the layer, which has the work. A function with optional keys cannot use ours.',
  },
];
