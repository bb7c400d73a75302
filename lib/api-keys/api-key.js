import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { customAlphabet } from 'nanoid';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 10;
/** 178 bits, so nobody can guess a secret, and its hash needs neither salt nor iterations. */
const secretLength = 30;
const checksumLength = 6;
const mintRandom = customAlphabet(alphabet, idLength + secretLength);
/**
 * A prefix that secret scanners find, an id, a secret and a checksum, as in GitHub's tokens:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
const keyPattern = /^clicktally_([0-9A-Za-z]{10})[0-9A-Za-z]{36}$/;
export const keyIdPattern = /^[0-9A-Za-z]{10}$/;
/** How long a revoked key may still work: each execution environment caches the keys it has read. */
export const keyCacheSeconds = 30;
/** Mints a key. Its id isn't secret. */
export function mintKey(random = mintRandom()) {
    return { id: random.slice(0, idLength), key: `clicktally_${random}${checksumOf(random)}` };
}
/** The id in a key; undefined if the text isn't a key or its checksum is wrong. */
export function readKeyId(text) {
    const id = keyPattern.exec(text)?.[1];
    const random = text.slice('clicktally_'.length, -checksumLength);
    return text.endsWith(checksumOf(random)) ? id : undefined;
}
/** What is stored of a key. */
export function hashKey(key) {
    return createHash('sha256').update(key).digest('base64url');
}
/** Detects typos, and keeps made-up keys from the table. It doesn't make a key harder to forge. */
function checksumOf(random) {
    let rest = crc32(random);
    let checksum = '';
    for (let digit = 0; digit < checksumLength; digit += 1) {
        checksum = `${alphabet[rest % alphabet.length]}${checksum}`;
        rest = Math.floor(rest / alphabet.length);
    }
    return checksum;
}
