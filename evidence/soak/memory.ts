import { findWorkers } from './process-tree.ts';

const bars = '▁▂▃▄▅▆▇█';
const columns = 60;
/** What a garbage-collected heap may go up and down. */
const tolerance = 1.25;

/** Follows how much memory the function workers take, in MB, from now on. */
export function watchMemory(everyMs: number) {
  const samples: number[] = [];
  const timer = setInterval(() => {
    const total = findWorkers().reduce((sum, { rssMb }) => sum + rssMb, 0);
    if (total > 0) samples.push(Math.round(total));
  }, everyMs);
  return { samples, stop: () => clearInterval(timer) };
}

/** A line of bars, from 0 to the highest sample. */
export function plot(samples: number[]): string {
  const highest = Math.max(1, ...samples);
  const size = Math.max(1, Math.ceil(samples.length / columns));
  const points = Array.from({ length: Math.ceil(samples.length / size) }, (_, index) =>
    median(samples.slice(index * size, (index + 1) * size)),
  );
  const line = points.map((value) => bars[Math.min(7, Math.floor((8 * value) / highest))]).join('');
  return `${line} ${samples[0]} … ${samples.at(-1)} MB, at most ${highest}`;
}

/** Whether the memory no longer grows: the last third is about what the middle third was. */
export function isFlat(samples: number[]): boolean {
  const third = Math.floor(samples.length / 3);
  if (third < 3) return false;
  return median(samples.slice(-third)) <= tolerance * median(samples.slice(third, 2 * third));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
