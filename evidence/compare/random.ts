import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export type Random = {
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** `count` different numbers from 0 up to `below`, ascending. */
  choose(count: number, below: number): number[];
};

/** Randomness that is the same for the same seed and name. */
export function createRandom(seed: number, name = ''): Random {
  const hash = [...name].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) | 0, seed);
  const generator = xoroshiro128plus(hash);
  const integer = (low: number, high: number) => uniformInt(generator, low, high);
  const choose = (count: number, below: number) => {
    const numbers = Array.from({ length: below }, (_, index) => index);
    for (let index = 0; index < count; index++) {
      const other = integer(index, below - 1);
      [numbers[index], numbers[other]] = [numbers[other] ?? 0, numbers[index] ?? 0];
    }
    return numbers.slice(0, count).sort((a, b) => a - b);
  };
  return { integer, choose };
}
