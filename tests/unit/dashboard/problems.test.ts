import { expect, test } from 'vitest';
import { ApiError, explain, explainAction } from '../../../dashboard/state/problems.ts';

test.each([502, 503, 504])('with %i, the page says why a link is not created', (status) => {
  expect(explainAction("The link wasn't created.", new ApiError(status, ''))).toBe(
    "The link wasn't created. The service isn't available at the moment. " +
      "Until it is, links can't be created or changed. Try again later.",
  );
});

test('with 502, numbers that are missing come with what does not work, and what does', () => {
  expect(explain(new ApiError(502, '')).remedy).toMatch(
    /links can't be created or changed\. Clicks are still counted\.$/,
  );
});

test('a single failure is not an outage', () => {
  const error = new ApiError(500, '');

  expect(explainAction("The link wasn't created.", error)).toBe(
    "The link wasn't created. Try again.",
  );
});
