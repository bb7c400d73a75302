import type { Job, JobResult } from './jobs.ts';

/** How many runs may be spent on one violation. */
const maxRuns = 150;

export interface Minimised {
  job: Job;
  result: JobResult;
  runs: number;
}

/**
 * Finds a smaller world, with fewer faults, in which the same kind of thing goes wrong: first fewer
 * clicks, then only halves, quarters and so on of the faults (delta debugging).
 */
export async function minimise(
  job: Job,
  kind: string,
  run: (job: Job) => Promise<JobResult>,
): Promise<Minimised> {
  let runs = 1;
  let best = { job, result: await run({ ...job, isTraced: true }) };
  const attempt = async (smaller: Job) => {
    if (runs >= maxRuns) return false;
    runs += 1;
    const result = await run({ ...smaller, isTraced: true });
    if (!result.violations.some((violation) => violation.kind === kind)) return false;
    best = { job: smaller, result };
    return true;
  };
  for (const maxClicks of [2, 5, 10, 20, 50, 100, 300]) {
    if (await attempt({ ...job, options: { ...job.options, maxClicks } })) break;
  }
  const only = new Set(best.result.faults);
  for (let size = only.size; size >= 1; size = size >> 1) {
    for (const chunk of chunksOf([...only], size)) {
      const rest = only.difference(new Set(chunk));
      if (await attempt({ ...best.job, only: [...rest] }))
        for (const name of chunk) only.delete(name);
    }
  }
  return { ...best, runs };
}

/** The lines of a trace that have to do with what went wrong. */
export function pickHistory(lines: string[], about: string[]): string[] {
  const tokens = new Set(about);
  for (const line of lines) {
    const [, message, click = ''] = / (message-\d+) arrives: (.*)$/.exec(line) ?? [];
    if (message && tokens.has(click)) tokens.add(message);
  }
  for (const line of lines) {
    const [, instance, messages = ''] = / (instance-\d+): gets (.*)$/.exec(line) ?? [];
    if (instance && messages.split(',').some((message) => tokens.has(message)))
      tokens.add(instance);
  }
  const mentions = (line: string) =>
    line.split(/[^\w-]+/).some((word) => tokens.has(word)) || line.includes('FAULT');
  return lines.filter(mentions);
}

function chunksOf<T>(list: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
