import { SingleBar } from 'cli-progress';

const plainLineIntervalMs = 10_000;

export interface Progress {
  add(count?: number): void;
  end(): void;
}

/** How far a command is, on stderr: a bar on a terminal, elsewhere a plain line now and then. */
export function createProgress(total: number, unit: string): Progress {
  return process.stderr.isTTY ? createBar(total, unit) : createLines(total, unit);
}

function createBar(total: number, unit: string): Progress {
  const format = `[{bar}] {value} of about {total} ${unit}`;
  const bar = new SingleBar({ format, clearOnComplete: true });
  bar.start(total, 0);
  let done = 0;
  const add = (count = 1) => {
    done += count;
    // A total that is only about right must not look wrong.
    if (done > bar.getTotal()) bar.setTotal(done);
    bar.update(done);
  };
  return { add, end: () => bar.stop() };
}

function createLines(total: number, unit: string): Progress {
  let done = 0;
  const print = () => console.error(`${done} of about ${Math.max(done, total)} ${unit}`);
  const timer = setInterval(print, plainLineIntervalMs);
  const add = (count = 1) => {
    done += count;
  };
  return { add, end: () => clearInterval(timer) };
}
