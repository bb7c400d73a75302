import { createProgress, type Progress } from '../../cli/terminal/progress.ts';
import { Simulator } from './simulator.ts';
import type { TracedResult, WorldTask } from './tasks.ts';

const maxLines = 60;
const expectedRuns = 100;
const limitMs = 60_000;
const fewerClicks = [2, 5, 10, 20, 50, 100, 300];

interface TracedWorld {
  task: WorldTask;
  result: TracedResult;
}

/**
 * Searches for about a minute for the smallest version of a world with the same kind of violation.
 * Returns the history of that version as text.
 */
export async function findSmallest(failed: TracedResult, task: WorldTask): Promise<string> {
  const [first] = failed.violations;
  if (!first) return 'no violations';
  const progress = createProgress(expectedRuns, 'runs to find a smaller world');
  try {
    const { smallest, runs } = await minimise(task, first.kind, progress);
    const { violations, lines } = smallest.result;
    const violation = violations.find(({ kind }) => kind === first.kind) ?? first;
    const history = pickHistory(lines, violation.about.slice(0, 1));
    return [
      `the smallest of ${runs} runs that still fails, of ${describeTask(smallest.task)}:`,
      ...history.slice(-maxLines).map((line) => `  ${line}`),
      `  VIOLATION ${violation.kind}: ${violation.text} (${violation.about.join(', ')})`,
    ].join('\n');
  } finally {
    progress.end();
  }
}

/** A world's first violation, and the command that reproduces it. */
export function describeViolation({ seed, violations }: TracedResult, task: WorldTask): string {
  const [first] = violations;
  return [
    `seed ${seed}: ${first?.kind}: ${first?.text} (${first?.about.join(', ')})`,
    `again: npm --prefix proofs run simulate -- ${describeTask(task)} --trace`,
  ].join('\n');
}

/** A task as command line options. */
export function describeTask({ seed, options, bug }: WorldTask): string {
  const clicks = options?.maxClicks ? ` --clicks ${options.maxClicks}` : '';
  return `--seed ${seed}${clicks}${bug ? ` --bug "${bug.name}"` : ''}`;
}

// First with fewer clicks, then without halves, quarters and so on of the faults (delta debugging).
async function minimise(
  task: WorldTask,
  kind: string,
  progress: Progress,
): Promise<{ smallest: TracedWorld; runs: number }> {
  const endMs = performance.now() + limitMs;
  await using simulator = new Simulator();
  const run = (next: WorldTask) => simulator.run({ ...next, isTraced: true });
  let smallest = { task, result: await run(task) };
  let runs = 1;
  const stillFails = async (smaller: WorldTask) => {
    if (performance.now() >= endMs) return false;
    const result = await run(smaller);
    const fails = result.violations.some((violation) => violation.kind === kind);
    if (fails) smallest = { task: smaller, result };
    runs += 1;
    const { totals, faults } = smallest.result;
    progress.add();
    progress.note(`${totals.deliveries} deliveries, ${faults.length} faults`);
    return fails;
  };
  for (const maxClicks of fewerClicks) {
    if (await stillFails({ ...task, options: { ...task.options, maxClicks } })) break;
  }
  const only = new Set(smallest.result.faults);
  for (let size = only.size; size >= 1; size = size >> 1) {
    for (const chunk of chunksOf([...only], size)) {
      const rest = only.difference(new Set(chunk));
      if (await stillFails({ ...smallest.task, only: [...rest] })) {
        for (const name of chunk) only.delete(name);
      }
    }
  }
  return { smallest, runs };
}

/** The lines of a trace that concern a violation. */
function pickHistory(lines: string[], about: string[]): string[] {
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
