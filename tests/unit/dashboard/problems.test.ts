import { expect, test } from 'vitest';
import { ApiError, explain, explainAction } from '../../../dashboard/state/problems.ts';

const reason = 'the reason';
const failed = "The link wasn't created.";
const ended = 'Your session has ended.';

test.each([
  [0, "The service can't be reached.", 'retry', `${failed} Check your connection, then try again.`],
  [400, "That didn't work.", 'retry', reason],
  [401, ended, 'sign-in', `${ended} Sign in again to continue where you left off.`],
  [403, "You can't do this.", 'back', reason],
  [404, 'Link not found.', 'back', 'It may belong to someone else. Go back to your links.'],
  [429, 'Too many requests.', 'retry', reason],
  [500, "Your numbers couldn't be loaded.", 'retry', `${failed} Try again.`],
  [503, "Your numbers couldn't be loaded.", 'retry', `${failed} Try again.`],
  [504, 'The service takes too long to respond.', 'retry', `${failed} Try again.`],
])('the status %d of a view or an action says what happened and what to do', (...row) => {
  const [status, title, action, ofAction] = row;
  const error = new ApiError(status, reason);

  expect(explain(error)).toMatchObject({ title, action, remedy: expect.stringMatching(/./) });
  expect(explainAction(failed, error)).toBe(ofAction);
});

test('a quota error says when it resets, and throttling says to wait', () => {
  const quota = 'You have created 1000 links today (UTC), as many as you may in a day.';

  expect(explain(new ApiError(429, quota)).remedy).toBe(quota);
  expect(explain(new ApiError(429, 'Too Many Requests')).remedy).toMatch(/^Wait/);
});
