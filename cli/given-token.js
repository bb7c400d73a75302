import { readKeyId } from '../lib/api-keys/api-key.ts';
import { CommandError } from './terminal/command-error.ts';
// Three parts in base64url. fetch quotes an invalid header in its error, which could end up in a log.
const isToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** @throws {CommandError} if neither the local stack nor the environment has a token. */
export function readToken({ name, token }, given = process.env.TOKEN ?? '') {
    if (token)
        return token;
    if (isToken.test(given))
        return given;
    throw new CommandError(`Expected the environment variable TOKEN to hold a token for ${name} and nothing else; got ${given ? 'other text' : 'nothing'}. ` +
        'Get one with npm run --silent stage -- token.');
}
/**
 * The token for the API or, if the environment has one, the API key. Keys have routes of their own.
 * @throws {CommandError} if the key isn't complete, or if there's neither a key nor a valid token.
 */
export function readCredential(stack, key = process.env.CLICK_TALLY_KEY) {
    if (!key)
        return { credential: readToken(stack), prefix: '' };
    if (readKeyId(key) !== undefined)
        return { credential: key, prefix: '/api' };
    throw new CommandError('Expected the environment variable CLICK_TALLY_KEY to hold an API key, such as clicktally_…, and nothing ' +
        'else; got other text, or a key with a typo. Copy it again, or create another one on the live page.');
}
