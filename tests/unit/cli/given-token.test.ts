import { expect, test } from 'vitest';
import { readCredential, readToken } from '../../../cli/given-token.ts';
import { CommandError } from '../../../cli/terminal/command-error.ts';
import { mintKey } from '../../../lib/api-keys/api-key.ts';

const token = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJl';
const stage = { name: 'click-tally-dev in us-east-1' };
const local = { ...stage, token: 'local' };

test("a local stack's token takes precedence over the environment's", () => {
  expect(readToken(local, token)).toBe('local');
  expect(readToken(stage, token)).toBe(token);
});

test.each([
  ["npm's own output", `\n> click-tally@0.1.0 user\n\n${token}`],
  ['a trailing line break', `${token}\n`],
  ['only one part', 'eyJhbGciOiJSUzI1NiJ9'],
])('a token with %s is rejected, and the error does not quote it', (_, given) => {
  expect(() => readToken(stage, given)).toThrow(
    new CommandError(
      'Expected the environment variable TOKEN to hold a token for click-tally-dev in us-east-1 and nothing else; ' +
        'got other text. Get one with npm run --silent stage -- token.',
    ),
  );
});

test('an API key takes precedence over tokens, on every stack', () => {
  const { key } = mintKey();

  expect(readCredential(local, key)).toEqual({ credential: key, prefix: '/api' });
  expect(readCredential(local, '')).toEqual({ credential: 'local', prefix: '' });
});

test('an API key with a typo is rejected before it is sent, and the error does not quote it', () => {
  const { key } = mintKey(`${'1'.repeat(10)}${'s'.repeat(30)}`);

  for (const given of [`${key}\n`, key.replace('ss', 'sS'), key.slice(0, -1), `Bearer ${key}`]) {
    expect(() => readCredential(stage, given)).toThrow(
      new CommandError(
        'Expected the environment variable CLICK_TALLY_KEY to hold an API key, such as clicktally_…, and nothing else; ' +
          'got other text, or a key with a typo. Copy it again, or create another one on the live page.',
      ),
    );
  }
});
