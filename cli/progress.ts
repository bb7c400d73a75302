import { SingleBar } from 'cli-progress';

/** How far a command is: a bar on a terminal, elsewhere a plain line now and then; on stderr. */
export function createProgress(total: number, unit: string) {
  const bar = new SingleBar({
    format: `[{bar}] {value} of about {total} ${unit}`,
    clearOnComplete: true,
    noTTYOutput: true,
    notTTYSchedule: 10_000,
  });
  let done = 0;
  bar.start(total, 0);
  return {
    add(count = 1): void {
      done += count;
      // A total that is only about right must not look wrong.
      if (done > bar.getTotal()) bar.setTotal(done);
      bar.update(done);
    },
    end: () => bar.stop(),
  };
}
