import { expect, test } from 'vitest';
import { readUserLimits } from '../../lib/user-limits.ts';

test('the limits of a user are numbers', () => {
  const environment = { CONNECTIONS_PER_USER: '10', REQUESTS_PER_USER_PER_MINUTE: '1200' };

  expect(readUserLimits(environment)).toEqual({ connectionsPerUser: 10, requestsPerMinute: 1_200 });
});

test('a stage without limits does not start', () => {
  expect(() => readUserLimits({ CONNECTIONS_PER_USER: '0' })).toThrow(
    'expected CONNECTIONS_PER_USER to be a whole number above 0; got "0"; ' +
      'expected REQUESTS_PER_USER_PER_MINUTE to be a whole number above 0; got nothing',
  );
});
