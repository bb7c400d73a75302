import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { customAlphabet } from 'nanoid';
import { base62Digits } from '../base62.ts';

const prefix = 'clicktally_';
const idLength = 10;
/** 178 bits, so nobody can guess a secret, and its hash needs neither salt nor iterations. */
const secretLength = 30;
const checksumLength = 6;
const mintRandom = customAlphabet(base62Digits, idLength + secretLength);

/**
 * A prefix that secret scanners find, an id, a secret and a checksum, as in GitHub's tokens:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
const keyPattern = new RegExp(
  `^${prefix}([0-9A-Za-z]{${idLength}})[0-9A-Za-z]{${secretLength + checksumLength}}$`,
);
export const keyIdPattern = new RegExp(`^[0-9A-Za-z]{${idLength}}$`);

/** How long a revoked key may still work: each execution environment caches the keys it has read. */
export const keyCacheSeconds = 30;

/** Mints a key. Its id isn't secret. */
export function mintKey(random = mintRandom()): { id: string; key: string } {
  return { id: random.slice(0, idLength), key: `${prefix}${random}${checksumOf(random)}` };
}

/** The id in a key; undefined if the text isn't a key or its checksum is wrong. */
export function readKeyId(text: string): string | undefined {
  const id = keyPattern.exec(text)?.[1];
  const random = text.slice(prefix.length, -checksumLength);
  return text.endsWith(checksumOf(random)) ? id : undefined;
}

/** What is stored of a key. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

/** Detects typos, and keeps made-up keys from the table. It doesn't make a key harder to forge. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let checksum = '';
  for (let digit = 0; digit < checksumLength; digit += 1) {
    checksum = `${base62Digits[rest % base62Digits.length]}${checksum}`;
    rest = Math.floor(rest / base62Digits.length);
  }
  return checksum;
}
