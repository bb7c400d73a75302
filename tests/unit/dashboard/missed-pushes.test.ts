import { expect, test } from 'vitest';
import { createMissedPushes } from '../../../dashboard/state/missed-pushes.ts';

const watching = () => {
  const clock = { ms: 0 };
  const pushes = createMissedPushes(() => clock.ms);
  pushes.sawWatching('docs', 10);
  return { clock, pushes };
};

test('a push that follows the read within five seconds is not missed', () => {
  const { clock, pushes } = watching();

  pushes.sawRead('docs', 12);
  clock.ms = 4_000;
  pushes.sawPush('docs', 12);
  clock.ms = 60_000;

  expect(pushes.isMissing()).toBe(false);
});

test('a push that takes more than five seconds is missed', () => {
  const { clock, pushes } = watching();

  pushes.sawRead('docs', 12);
  clock.ms = 4_999;
  expect(pushes.isMissing()).toBe(false);

  clock.ms = 5_000;
  expect(pushes.isMissing()).toBe(true);
});

test('the next push clears a missed one', () => {
  const { clock, pushes } = watching();
  pushes.sawRead('docs', 12);
  clock.ms = 5_000;
  pushes.isMissing();

  pushes.sawPush('docs', 13);

  expect(pushes.isMissing()).toBe(false);
});

test('half a minute without another missed push clears a missed one', () => {
  const { clock, pushes } = watching();
  pushes.sawRead('docs', 12);
  clock.ms = 5_000;
  expect(pushes.isMissing()).toBe(true);

  clock.ms = 34_999;
  expect(pushes.isMissing()).toBe(true);
  clock.ms = 35_000;

  expect(pushes.isMissing()).toBe(false);
});

test("a link that isn't watched misses no push", () => {
  const { clock, pushes } = watching();

  pushes.sawRead('other', 5);
  clock.ms = 5_000;

  expect(pushes.isMissing()).toBe(false);
});

test('a new connection starts without missed pushes', () => {
  const { clock, pushes } = watching();

  pushes.sawRead('docs', 12);
  pushes.forget();
  clock.ms = 5_000;

  expect(pushes.isMissing()).toBe(false);
});

test('pushes are missed if watching gets no answer for five seconds, until any message arrives', () => {
  const clock = { ms: 0 };
  const pushes = createMissedPushes(() => clock.ms);
  pushes.forget();

  pushes.sawRequest(['docs']);
  clock.ms = 5_000;
  expect(pushes.isMissing()).toBe(false);
  clock.ms = 5_001;
  expect(pushes.isMissing()).toBe(true);
  pushes.sawMessage();

  expect(pushes.isMissing()).toBe(false);
});

test('a connection that has answered once may take longer to answer', () => {
  const clock = { ms: 0 };
  const pushes = createMissedPushes(() => clock.ms);
  pushes.sawRequest(['docs']);
  pushes.sawMessage();

  pushes.sawRequest(['docs', 'other']);
  clock.ms = 60_000;

  expect(pushes.isMissing()).toBe(false);
});

test('no answer is expected if nothing is watched', () => {
  const clock = { ms: 0 };
  const pushes = createMissedPushes(() => clock.ms);

  pushes.sawRequest(['docs']);
  pushes.sawRequest([]);
  clock.ms = 60_000;

  expect(pushes.isMissing()).toBe(false);
});
