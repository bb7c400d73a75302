import { percentile } from '../../tools/percentile.ts';

/** The live page's goal. */
export const goalP95Ms = 1_500;

interface Delays {
  medianMs: number;
  p95Ms: number;
}

export interface LiveResult {
  clicks: number;
  clicksPerSecond: number;
  connections: number;
  /** From a click's GET to the push at a connection, for each click and connection. */
  toConnection: Delays;
  /** From a click's GET to the page's screen. */
  toScreen: Delays;
  isGoalMet: boolean;
  /** The link's clicks in the table, and the last numbers seen. */
  stored: number;
  onScreen: number;
  atConnections: number[];
}

export function summarizeDelays(delaysMs: number[]): Delays {
  return { medianMs: percentile(delaysMs, 0.5), p95Ms: percentile(delaysMs, 0.95) };
}

/** Whether the table has every click, and the screen and all connections show its number. */
export function isComplete({ clicks, stored, onScreen, atConnections }: LiveResult): boolean {
  return [stored, onScreen, ...atConnections].every((number) => number === clicks);
}

export function formatLiveResult(result: LiveResult): string {
  const { clicks, clicksPerSecond, connections, stored, onScreen, atConnections } = result;
  const rows = [
    ['from the start of a click to', 'median', 'p95'],
    formatDelays(`the push at each of ${connections} connections`, result.toConnection),
    formatDelays('the screen of one page', result.toScreen),
  ];
  const behind = atConnections.filter((number) => number !== stored).length;
  return [
    `${clicks} clicks, ${clicksPerSecond} a second`,
    ...rows.map(([name = '', ...cells]) =>
      [name.padEnd(40), ...cells.map((cell) => cell.padStart(9))].join(''),
    ),
    `goal, p95 < ${goalP95Ms} ms: ${result.isGoalMet ? 'met' : 'MISSED'}`,
    `in the table: ${stored}; on the screen: ${onScreen}; connections with another number: ${behind}`,
  ].join('\n');
}

function formatDelays(name: string, { medianMs, p95Ms }: Delays): string[] {
  return [name, ...[medianMs, p95Ms].map((ms) => `${ms.toFixed(0)} ms`)];
}
