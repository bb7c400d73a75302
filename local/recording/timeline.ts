import { styleText } from 'node:util';
import type { Take } from './session.ts';
import { type Run, wrapLine } from './terminal-text.ts';

/** A row of the terminal, and when it appears. */
export interface Row {
  runs: Run[];
  atMs: number;
  /** How long it takes to type the row; undefined if it appears at once. */
  typingMs?: number;
}

export interface Timeline {
  /** In the order in which they appear. */
  rows: Row[];
  durationMs: number;
}

const millisecondsPerKey = 14;
const beforeCommandMs = 500;
const beforeOutputMs = 300;
const readingMs = { scene: 600, line: 300, most: 2_000 };
const finalPauseMs = 4_500;
const styled = { validateStream: false };

/** Decides when each row appears: at the pace of a reader, not of the machine. */
export function createTimeline(takes: Take[], columns: number): Timeline {
  const rows: Row[] = [];
  let nowMs = 0;
  const add = (line: string) => {
    for (const runs of wrapLine(line, columns)) rows.push({ runs, atMs: nowMs });
  };
  const type = (line: string) => {
    for (const runs of wrapLine(line, columns)) {
      const typingMs = countCharacters(runs) * millisecondsPerKey;
      rows.push({ runs, atMs: nowMs, typingMs });
      nowMs += typingMs;
    }
  };
  for (const { title, command, cutSeconds, lines, linePauseMs = 0 } of takes) {
    if (rows.length > 0) add('');
    if (cutSeconds !== undefined) add(styleText('yellow', `[about ${cutSeconds} s cut]`, styled));
    add(styleText('cyan', `# ${title}`, styled));
    nowMs += beforeCommandMs;
    type(`$ ${command}`);
    nowMs += beforeOutputMs;
    for (const line of lines) {
      add(line);
      nowMs += linePauseMs;
    }
    nowMs += Math.min(readingMs.scene + lines.length * readingMs.line, readingMs.most);
  }
  add('');
  add('$ ');
  return { rows, durationMs: nowMs + finalPauseMs };
}

function countCharacters(runs: Run[]): number {
  return runs.reduce((sum, { text }) => sum + [...text].length, 0);
}
