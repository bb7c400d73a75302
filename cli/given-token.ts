import type { Stack } from './stack.ts';
import { CommandError } from './terminal/command-error.ts';

// Three parts in base64url. fetch quotes an invalid header in its error, which could end up in a log.
const isToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** @throws {CommandError} if neither the local stack nor the environment has a valid token. */
export function readToken(
  { name, token }: Pick<Stack, 'name' | 'token'>,
  given = process.env.TOKEN,
): string {
  if (token) return token;
  if (!given) {
    throw new CommandError(
      `Expected the environment variable TOKEN to hold a token for ${name}. Get one with npm run stage -- token.`,
    );
  }
  if (isToken.test(given)) return given;
  throw new CommandError(
    'Expected the environment variable TOKEN to hold a token and nothing else; got other text. ' +
      'Get one with npm run --silent stage -- token.',
  );
}
