import { expect, test } from 'vitest';
import { ApiError, explain, explainAction } from '../../../dashboard/state/problems.ts';

test.each([
  [0, "The service can't be reached.", 'retry'],
  [400, "That didn't work.", 'retry'],
  [401, 'Your session has ended.', 'sign-in'],
  [403, "You can't do this.", 'back'],
  [404, 'Link not found.', 'back'],
  [429, 'Too many requests.', 'retry'],
  [500, "Your numbers couldn't be loaded.", 'retry'],
  [503, "Your numbers couldn't be loaded.", 'retry'],
  [504, 'The service takes too long to respond.', 'retry'],
])('a failure with the status %d says what happened and what to do', (status, title, action) => {
  const problem = explain(new ApiError(status, 'the reason'));

  expect(problem).toMatchObject({ title, action });
  expect(problem.remedy).not.toBe('');
});

test('a quota error says when it resets, and throttling says to wait', () => {
  const quota = 'You have created 1000 links today (UTC), as many as you may in a day.';

  expect(explain(new ApiError(429, quota)).remedy).toBe(quota);
  expect(explain(new ApiError(429, 'Too Many Requests')).remedy).toMatch(/^Wait/);
});

test.each([
  [0, "The link wasn't created. Check your connection, then try again."],
  [400, 'the reason'],
  [401, 'Your session has ended. Sign in again to continue where you left off.'],
  [403, 'the reason'],
  [429, 'the reason'],
  [500, "The link wasn't created. Try again."],
  [504, "The link wasn't created. Try again."],
])('an action that fails with the status %d says so, and what to do', (status, text) => {
  const error = new ApiError(status, 'the reason');

  expect(explainAction("The link wasn't created.", error)).toBe(text);
});
