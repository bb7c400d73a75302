import { describe, expect, test } from 'vitest';
import { ApiError, assignToFields, explain } from '../../../dashboard/state/problems.ts';

test.each([
  [0, 'The service is unreachable.', 'retry'],
  [400, 'The request was rejected.', 'retry'],
  [401, 'Your session has ended.', 'sign-in'],
  [403, "You don't have permission to do this.", 'back'],
  [404, 'Link not found.', 'back'],
  [429, 'Too many requests.', 'retry'],
  [500, 'The service returned an error.', 'retry'],
  [503, 'The service returned an error.', 'retry'],
])('a failure with the status %d says what happened and what to do', (status, title, action) => {
  const problem = explain(new ApiError(status, 'the reason'));

  expect(problem).toMatchObject({ title, action });
  expect(problem.remedy).not.toBe('');
});

test("the page's own error offers to try again", () => {
  expect(explain(new TypeError('x is undefined')).action).toBe('retry');
});

test('a quota error says when it resets, and throttling says to wait', () => {
  const quota = 'You have created 1000 links today (UTC), as many as you may in a day.';

  expect(explain(new ApiError(429, quota)).remedy).toBe(quota);
  expect(explain(new ApiError(429, 'Too Many Requests')).remedy).toMatch(/^Wait/);
});

describe('a rejected new link', () => {
  test('shows the error at its field', () => {
    const url = 'expected url to be an absolute http or https URL; got "a; expected b"';
    const code = 'expected code to be 1 to 64 letters; got ""';

    expect(assignToFields(`${url}; ${code}`)).toEqual({ url, code });
    expect(assignToFields('The code docs is taken; choose another or leave it out.')).toEqual({
      code: 'The code docs is taken; choose another or leave it out.',
    });
  });

  test('shows an error without a field at the form', () => {
    expect(assignToFields('expected the body to be JSON; got "x"')).toEqual({
      form: 'expected the body to be JSON; got "x"',
    });
  });
});
