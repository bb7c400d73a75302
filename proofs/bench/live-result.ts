import { percentile } from '../tools/percentile.ts';

/** The live page's goal. */
const goalP95Ms = 1_500;

/** A total that a connection or the screen showed. */
export interface Sighting {
  /** Epoch milliseconds. */
  atMs: number;
  clicks: number;
}

/** The link's clicks: sent, in the table, and the last numbers seen. */
interface Numbers {
  clicks: number;
  stored: number;
  onScreen: number;
  atConnections: number[];
}

interface LiveResult extends Numbers {
  clicksPerSecond: number;
  /** From a click's GET to the push at a connection, for each click and connection, in ms. */
  toConnections: number[];
  /** From a click's GET to the page's screen, in ms. */
  toScreen: number[];
}

/**
 * Each click's delay in milliseconds: from its start until the total first reached its position in the
 * order of the starts. A total doesn't say which clicks are in it. If a later click is counted before
 * an earlier one, their delays are swapped, but the sum is the same. A click that was never seen has no
 * delay.
 */
export function measureDelays(startsMs: readonly number[], sightings: readonly Sighting[]) {
  return startsMs
    .toSorted((a, b) => a - b)
    .flatMap((startMs, index) => {
      const seen = sightings.find(({ clicks }) => clicks > index);
      return seen ? [seen.atMs - startMs] : [];
    });
}

/** Whether the table has every click, and the screen and all connections show its number. */
export function isComplete({ clicks, stored, onScreen, atConnections }: Numbers): boolean {
  return [stored, onScreen, ...atConnections].every((number) => number === clicks);
}

export function formatLiveResult(result: LiveResult): string {
  const { clicks, clicksPerSecond, stored, onScreen, atConnections } = result;
  const { toConnections, toScreen } = result;
  const worstP95Ms = Math.max(percentile(toConnections, 0.95), percentile(toScreen, 0.95));
  const behind = atConnections.filter((number) => number !== stored).length;
  return [
    `${clicks} clicks, ${clicksPerSecond} a second`,
    formatRow('from the start of a click to', ['median', 'p95']),
    formatRow(`the push at each of ${atConnections.length} connections`, readDelays(toConnections)),
    formatRow('the screen of one page', readDelays(toScreen)),
    `goal, p95 < ${goalP95Ms} ms: ${worstP95Ms < goalP95Ms ? 'met' : 'MISSED'}`,
    `in the table: ${stored}; on the screen: ${onScreen}; connections with another number: ${behind}`,
  ].join('\n');
}

const readDelays = (delaysMs: number[]) =>
  [0.5, 0.95].map((share) => `${percentile(delaysMs, share).toFixed(0)} ms`);

const formatRow = (name: string, cells: string[]) =>
  [name.padEnd(40), ...cells.map((cell) => cell.padStart(9))].join('');
