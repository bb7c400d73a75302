import { expect, test } from 'vitest';
import { gte } from '../../../lib/bundle/no-semver.ts';

test('a client of AWS SDK 2 is refused', () => {
  expect(gte).toThrow(
    "expected an AWS SDK 3 client; got an AWS SDK 2 client, which can't be traced. Use AWS SDK 3.",
  );
});
