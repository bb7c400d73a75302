import { expect, test } from 'vitest';
import { describeSlowdown } from '../../../bench/engine-speed.ts';

test('a run fails if its engine became more than 1.3 times slower, and says so', () => {
  expect(describeSlowdown(10, 13)).toBeUndefined();
  expect(describeSlowdown(10, 5)).toBeUndefined();
  expect(describeSlowdown(10, 13.1)).toMatch(/^expected the engine .+; got 1\.31 times/);
});
