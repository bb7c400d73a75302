import { SingleBar } from 'cli-progress';
import { escapeText, print } from './print.ts';

const plainLineIntervalMs = 10_000;
const barWidth = 24;

export interface Progress {
  /** Counts finished units; 1 by default. */
  add(count?: number): void;
  /** Shows a short text next to the numbers. */
  note(text: string): void;
  end(): void;
}

/**
 * Shows a command's progress on stderr: a bar on a terminal, otherwise one line every ten seconds.
 * If the total proves too small, it grows with the work done.
 */
export function createProgress(total: number, unit: string): Progress {
  const { show, end } = process.stderr.isTTY ? showBar(total, unit) : showLines(total, unit);
  let done = 0;
  let note = '';
  return {
    add(count = 1) {
      done += count;
      show(done, note);
    },
    note(text) {
      note = ` · ${escapeText(text)}`;
      show(done, note);
    },
    end,
  };
}

function showBar(total: number, unit: string) {
  const format = `[{bar}] {value} of about {total} ${unit}{note}`;
  const bar = new SingleBar({ format, barsize: barWidth, clearOnComplete: true });
  bar.start(total, 0, { note: '' });
  const show = (done: number, note: string) => {
    if (done > bar.getTotal()) bar.setTotal(done);
    bar.update(done, { note });
  };
  return { show, end: () => bar.stop() };
}

function showLines(total: number, unit: string) {
  let line = `0 of about ${total} ${unit}`;
  const timer = setInterval(() => print(`${line}\n`, process.stderr), plainLineIntervalMs);
  const show = (done: number, note: string) => {
    line = `${done} of about ${Math.max(done, total)} ${unit}${note}`;
  };
  return { show, end: () => clearInterval(timer) };
}
