import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** One stream of random decisions; the same seed and name always give the same stream. */
export interface Random {
  /** From 0 up to 1. */
  fraction(): number;
  chance(probability: number): boolean;
  /** A whole number, both ends included. */
  integer(min: number, max: number): number;
  /** Exponentially distributed around `mean`: mostly short, now and then very long. */
  exponential(mean: number): number;
  pick<T>(list: readonly T[]): T;
}

/** Streams are apart by name, so that one more decision of one kind does not shift all others. */
export function createRandom(seed: number, name: string): Random {
  const generator = xoroshiro128plus(mix(seed, name));
  const fraction = () => uniformFloat64(generator);
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    exponential: (mean) => -Math.log(1 - fraction()) * mean,
    pick: (list) => {
      const picked = list[integer(0, list.length - 1)];
      if (picked === undefined) throw new Error('expected a list with elements; it is empty');
      return picked;
    },
  };
}

// FNV-1a over the seed and the name.
function mix(seed: number, name: string): number {
  let hash = 0x811c9dc5;
  for (const char of `${seed}/${name}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash | 0;
}
