import type { TracedResult, WorldTask } from './tasks.ts';

export interface Minimised {
  task: WorldTask;
  result: TracedResult;
  runs: number;
  /** There was no time to try everything. */
  isPartial: boolean;
}

export interface MinimiseOptions {
  run: (task: WorldTask) => Promise<TracedResult>;
  /** Asked before each run. */
  mayGoOn: () => boolean;
  onRun: (runs: number, smallest: TracedResult) => void;
}

const fewerClicks = [2, 5, 10, 20, 50, 100, 300];

/**
 * Finds a smaller world, with fewer faults, in which the same kind of violation occurs: first with
 * fewer clicks, then without halves, quarters and so on of the faults (delta debugging).
 */
export async function minimise(
  task: WorldTask,
  kind: string,
  { run, mayGoOn, onRun }: MinimiseOptions,
): Promise<Minimised> {
  let runs = 1;
  let isPartial = false;
  let best = { task, result: await run({ ...task, isTraced: true }) };
  const attempt = async (smaller: WorldTask) => {
    if (!mayGoOn()) {
      isPartial = true;
      return false;
    }
    runs += 1;
    const result = await run({ ...smaller, isTraced: true });
    const fails = result.violations.some((violation) => violation.kind === kind);
    if (fails) best = { task: smaller, result };
    onRun(runs, best.result);
    return fails;
  };
  for (const maxClicks of fewerClicks) {
    if (await attempt({ ...task, options: { ...task.options, maxClicks } })) break;
  }
  const only = new Set(best.result.faults);
  for (let size = only.size; size >= 1; size = size >> 1) {
    for (const chunk of chunksOf([...only], size)) {
      const rest = only.difference(new Set(chunk));
      if (await attempt({ ...best.task, only: [...rest] })) {
        for (const name of chunk) only.delete(name);
      }
    }
  }
  return { ...best, runs, isPartial };
}

/** The lines of a trace that concern a violation. */
export function pickHistory(lines: string[], about: string[]): string[] {
  const tokens = new Set(about);
  for (const line of lines) {
    const [, message, click = ''] = / (message-\d+) arrives: (.*)$/.exec(line) ?? [];
    if (message && tokens.has(click)) tokens.add(message);
  }
  for (const line of lines) {
    const [, instance, messages = ''] = / (\w+-\d+): gets (.*)$/.exec(line) ?? [];
    const isConcerned = messages.split(',').some((message) => tokens.has(message));
    if (instance && isConcerned) tokens.add(instance);
  }
  const mentions = (line: string) =>
    line.includes('FAULT') || line.split(/[^\w-]+/).some((word) => tokens.has(word));
  return lines.filter(mentions);
}

function chunksOf<T>(list: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
