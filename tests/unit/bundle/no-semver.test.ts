import { expect, test } from 'vitest';
import { gte } from '../../../lib/bundle/no-semver.ts';

test('a client of AWS SDK 2 is refused', () => {
  expect(gte).toThrow(
    'expected a client of AWS SDK 3; got one of AWS SDK 2, which cannot be traced',
  );
});
