import { findWorkers } from './process-tree.ts';

const bars = '▁▂▃▄▅▆▇█';
const columns = 60;
/** The tolerated variation of a garbage-collected heap. */
const tolerance = 1.25;

/** Samples the memory of the function workers in MB from now on. */
export function watchMemory(intervalMs: number) {
  const samples: number[] = [];
  const timer = setInterval(() => {
    const total = findWorkers().reduce((sum, { rssMb }) => sum + rssMb, 0);
    if (total > 0) samples.push(Math.round(total));
  }, intervalMs);
  return { samples, stop: () => clearInterval(timer) };
}

/** Draws a line of bars, from 0 to the highest sample. */
export function plot(samples: number[]): string {
  const highest = Math.max(1, ...samples);
  const size = Math.max(1, Math.ceil(samples.length / columns));
  const points = Array.from({ length: Math.ceil(samples.length / size) }, (_, index) =>
    median(samples.slice(index * size, (index + 1) * size)),
  );
  const line = points.map((value) => bars[Math.min(7, Math.floor((8 * value) / highest))]).join('');
  return `${line} ${samples[0]} … ${samples.at(-1)} MB, at most ${highest} MB`;
}

/**
 * Returns undefined if the memory has stopped growing: its last third is about the size of its middle
 * third. Otherwise returns the problem.
 */
export function judgeMemory(samples: number[]): string | undefined {
  const third = Math.floor(samples.length / 3);
  if (third < 3) return 'Too few samples to judge the memory. Run longer: -- --minutes 3';
  const [middle, last] = [median(samples.slice(third, 2 * third)), median(samples.slice(-third))];
  return last > tolerance * middle ? 'Expected the memory to stay flat; it grew.' : undefined;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
