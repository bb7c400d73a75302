import { expect, test } from 'vitest';
import { readToken } from '../../../cli/given-token.ts';

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl';
const stage = { name: 'click-tally-dev in us-east-1' };

test("a local stack's token takes precedence over the environment's", () => {
  expect(readToken({ ...stage, token: 'local' }, token)).toBe('local');
  expect(readToken(stage, token)).toBe(token);
});

test.each([
  ["npm's own output", `\n> click-tally@0.1.0 user\n\n${token}`],
  ['a trailing line break', `${token}\n`],
  ['only one part', 'eyJhbGciOiJSUzI1NiJ9'],
])('a token with %s is refused, and the error does not quote it', (_, given) => {
  expect(() => readToken(stage, given)).toThrow(
    /^Expected the environment variable TOKEN to hold a token and nothing else; got other text\. Get one with npm run --silent stage -- token\.$/,
  );
});
