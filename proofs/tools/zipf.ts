import type { Random } from '../../fixtures/random.ts';

/** Draws ranks from 0 up to, but not including, `count`, rank n in proportion to 1 / (n + 1). */
export function createZipf(count: number, random: Random): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return () => {
    const drawn = random.fraction() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
