import { expect, test } from 'vitest';
import { HttpError } from '../../../lib/http/http-error.ts';
import { parseBody } from '../../../lib/http/parse-request.ts';
import { trySchema } from '../../../lib/live/try-request.ts';

test.each([
  [
    'one',
    'expected the body to be a JSON object such as {"code": "spring", "scenario": "one"}; got "one"',
  ],
  [
    { code: 'a b', scenario: 'all' },
    'expected code to be 4 to 32 letters, digits, "-" or "_"; got "a b"; ' +
      'expected scenario to be one, twice, hundred or broken; got "all"',
  ],
])('a request to try %j is refused with the reason', (body, reason) => {
  expect(() => parseBody(trySchema, body)).toThrow(new HttpError(400, reason));
});
