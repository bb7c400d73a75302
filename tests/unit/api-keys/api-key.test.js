import { expect, test } from 'vitest';
import { hashKey, mintKey, readKeyId } from '../../../lib/api-keys/api-key.ts';
// Programs have such keys, so their format must not change. Both checksums were computed by Python's zlib.
test.each([
    ['0'.repeat(40), 'clicktally_00000000000000000000000000000000000000002kaqcA'],
    ['z'.repeat(40), 'clicktally_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz2x81PZ'],
])('a key has a prefix, its random part and a checksum: %s', (random, key) => {
    expect(mintKey(random)).toEqual({ id: random.slice(0, 10), key });
    expect(readKeyId(key)).toBe(random.slice(0, 10));
});
test('keys differ, and match the pattern for secret scanners', () => {
    const keys = Array.from({ length: 1000 }, () => mintKey().key);
    expect(new Set(keys.map((key) => key.slice(0, 21))).size).toBe(1000);
    expect(keys.filter((key) => !/\bclicktally_[0-9A-Za-z]{46}\b/.test(key))).toEqual([]);
});
test('a text with one wrong, swapped, missing or additional character is not a key', () => {
    const { key } = mintKey('0123456789abcdefghijABCDEFGHIJabcdefghij');
    const characters = [...key];
    const typos = characters.flatMap((character, index) => [
        characters.with(index, character === 'x' ? 'y' : 'x').join(''),
        characters.toSpliced(index, 1).join(''),
        characters.toSpliced(index, 0, '0').join(''),
        characters.toSpliced(index, 2, characters[index + 1] ?? '', character).join(''),
    ]);
    expect(typos.filter((typo) => typo !== key && readKeyId(typo) !== undefined)).toEqual([]);
});
test('the hash of a key is SHA-256 in base64url', () => {
    expect(hashKey('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});
