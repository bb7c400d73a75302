import { expect, test } from 'vitest';
import { readToken } from '../../../cli/given-token.ts';

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl';
const stage = { name: 'click-tally-dev in us-east-1' };

test('the token of a local stack comes before that of the environment', () => {
  expect(readToken({ ...stage, token: 'local' }, token)).toBe('local');
  expect(readToken(stage, token)).toBe(token);
});

test.each([
  ['the lines of npm', `\n> click-tally@0.1.0 user\n\n${token}`],
  ['a line break at the end', `${token}\n`],
  ['one part only', 'eyJhbGciOiJSUzI1NiJ9'],
])('a token with %s is refused, and the error does not quote it', (_, given) => {
  expect(() => readToken(stage, given)).toThrow(
    /^Expected the environment variable TOKEN to hold a token and nothing else; got other text\. Get one with npm run --silent stage -- token\.$/,
  );
});
