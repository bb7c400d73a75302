import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
/**
 * Creates one stream of random decisions. The same seed and name always give the same stream. Drawing
 * more from one stream doesn't affect the others.
 */
export function createRandom(seed, name = '') {
    const generator = xoroshiro128plus(hash(`${seed}/${name}`));
    /** From 0 up to, but not including, 1. */
    const fraction = () => uniformFloat64(generator);
    /** A whole number from `min` to `max`, both included. */
    const integer = (min, max) => min + Math.floor(fraction() * (max - min + 1));
    return {
        fraction,
        integer,
        chance: (probability) => fraction() < probability,
        /** Exponentially distributed around `mean`: mostly small, now and then very large. */
        exponential: (mean) => -Math.log(1 - fraction()) * mean,
        /** @throws {RangeError} for an empty list. */
        pick: (list) => {
            if (list.length === 0)
                throw new RangeError('expected a non-empty list; got an empty one');
            return list[integer(0, list.length - 1)];
        },
        /** `count` different whole numbers from 0 up to, but not including, `below`, ascending. */
        choose: (count, below) => {
            const left = Array.from({ length: below }, (_, index) => index);
            const chosen = Array.from({ length: Math.min(count, below) }, () => left.splice(integer(0, left.length - 1), 1));
            return chosen.flat().sort((a, b) => a - b);
        },
    };
}
/** The 32-bit FNV-1a hash of a text. */
export function hash(text) {
    let bits = 0x811c9dc5;
    for (const char of text)
        bits = Math.imul(bits ^ char.charCodeAt(0), 0x01000193);
    return bits | 0;
}
