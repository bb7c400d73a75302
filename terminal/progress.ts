import { SingleBar } from 'cli-progress';

const plainLineIntervalMs = 10_000;
const barWidth = 24;

export interface Progress {
  /** Counts finished units; 1 by default. */
  add(count?: number): void;
  /** Shows a few words beside the figures. */
  note(text: string): void;
  end(): void;
}

/**
 * Shows a command's progress on stderr: a bar on a terminal, otherwise one line every ten seconds.
 * A total that proves too small grows with the work done.
 */
export function createProgress(total: number, unit: string): Progress {
  return process.stderr.isTTY ? createBar(total, unit) : createLines(total, unit);
}

function createBar(total: number, unit: string): Progress {
  const format = `[{bar}] {value} of about {total} ${unit}{note}`;
  const bar = new SingleBar({ format, barsize: barWidth, clearOnComplete: true });
  let done = 0;
  let note = '';
  bar.start(total, 0, { note });
  const update = () => {
    if (done > bar.getTotal()) bar.setTotal(done);
    bar.update(done, { note });
  };
  return {
    add(count = 1) {
      done += count;
      update();
    },
    note(text) {
      note = ` · ${text}`;
      update();
    },
    end: () => bar.stop(),
  };
}

function createLines(total: number, unit: string): Progress {
  let done = 0;
  let note = '';
  const print = () => {
    console.error(`${done} of about ${Math.max(done, total)} ${unit}${note}`);
  };
  const timer = setInterval(print, plainLineIntervalMs);
  return {
    add(count = 1) {
      done += count;
    },
    note(text) {
      note = ` · ${text}`;
    },
    end: () => clearInterval(timer),
  };
}
