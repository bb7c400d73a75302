import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** One stream of random decisions. The same seed and name always give the same stream. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  fraction(): number;
  chance(probability: number): boolean;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** Exponentially distributed around `mean`: mostly small, now and then very large. */
  exponential(mean: number): number;
  /** @throws {RangeError} for an empty list. */
  pick<T>(list: readonly T[]): T;
  /** `count` different whole numbers from 0 up to, but not including, `below`, ascending. */
  choose(count: number, below: number): number[];
}

/** Creates a stream. Drawing more from one stream does not affect the others. */
export function createRandom(seed: number, name = ''): Random {
  const generator = xoroshiro128plus(hash(`${seed}/${name}`));
  const fraction = () => uniformFloat64(generator);
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    exponential: (mean) => -Math.log(1 - fraction()) * mean,
    pick: (list) => {
      if (list.length === 0) throw new RangeError('expected a non-empty list; got an empty one');
      return list[integer(0, list.length - 1)] as (typeof list)[number];
    },
    choose: (count, below) => {
      const left = Array.from({ length: below }, (_, index) => index);
      const chosen = Array.from({ length: Math.min(count, below) }, () =>
        left.splice(integer(0, left.length - 1), 1),
      );
      return chosen.flat().sort((a, b) => a - b);
    },
  };
}

/** A whole number of 32 bits for a text, by FNV-1a. */
export function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (const char of text) bits = Math.imul(bits ^ char.charCodeAt(0), 0x01000193);
  return bits | 0;
}
