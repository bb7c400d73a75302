import { expect, test } from 'vitest';
import { createMissedPushes } from '../../../dashboard/state/missed-pushes.ts';

const watching = () => {
  const clock = { ms: 0 };
  const pushes = createMissedPushes(() => clock.ms);
  pushes.sawWatching('docs', 10);
  return { clock, pushes };
};

test('a number that is read before its push arrives is not missed', () => {
  const { clock, pushes } = watching();

  pushes.sawRead('docs', 12);
  clock.ms = 4_000;
  pushes.sawPush('docs', 12);
  clock.ms = 60_000;

  expect(pushes.isMissing()).toBe(false);
});

test('a number whose push does not come within five seconds is missed', () => {
  const { clock, pushes } = watching();

  pushes.sawRead('docs', 12);
  clock.ms = 4_999;
  expect(pushes.isMissing()).toBe(false);

  clock.ms = 5_000;
  expect(pushes.isMissing()).toBe(true);
});

test('the next push ends it', () => {
  const { clock, pushes } = watching();
  pushes.sawRead('docs', 12);
  clock.ms = 5_000;
  pushes.isMissing();

  pushes.sawPush('docs', 13);

  expect(pushes.isMissing()).toBe(false);
});

test('so does half a minute in which nothing more is missed', () => {
  const { clock, pushes } = watching();
  pushes.sawRead('docs', 12);
  clock.ms = 5_000;
  expect(pushes.isMissing()).toBe(true);

  clock.ms = 34_999;
  expect(pushes.isMissing()).toBe(true);
  clock.ms = 35_000;

  expect(pushes.isMissing()).toBe(false);
});

test('nothing is missed of a link that nobody watches', () => {
  const { clock, pushes } = watching();

  pushes.sawRead('other', 5);
  clock.ms = 5_000;

  expect(pushes.isMissing()).toBe(false);
});

test('nothing is missed on a new connection', () => {
  const { clock, pushes } = watching();

  pushes.sawRead('docs', 12);
  pushes.forget();
  clock.ms = 5_000;

  expect(pushes.isMissing()).toBe(false);
});

test('without an answer to watching for five seconds, pushes are missed until any message comes', () => {
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

test('a connection that has answered once is not expected to answer at once', () => {
  const clock = { ms: 0 };
  const pushes = createMissedPushes(() => clock.ms);
  pushes.sawRequest(['docs']);
  pushes.sawMessage();

  pushes.sawRequest(['docs', 'other']);
  clock.ms = 60_000;

  expect(pushes.isMissing()).toBe(false);
});

test('no answer is expected where nothing is watched', () => {
  const clock = { ms: 0 };
  const pushes = createMissedPushes(() => clock.ms);

  pushes.sawRequest(['docs']);
  pushes.sawRequest([]);
  clock.ms = 60_000;

  expect(pushes.isMissing()).toBe(false);
});
