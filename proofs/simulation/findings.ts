import { createProgress } from '../../cli/terminal/progress.ts';
import { minimise, pickHistory } from './minimise.ts';
import { Simulator } from './pool.ts';
import type { TracedResult, WorldTask } from './tasks.ts';

const maxLines = 60;
const expectedRuns = 100;

/**
 * Searches for the smallest version of a world in which the kind of its first violation occurs, for
 * about `limitMs`. Returns the history of that version as text.
 */
export async function findSmallest(
  failed: TracedResult,
  task: WorldTask,
  limitMs: number,
): Promise<string> {
  const [first] = failed.violations;
  if (!first) return 'no violations';
  const endMs = performance.now() + limitMs;
  const progress = createProgress(expectedRuns, 'runs to find a smaller world');
  const simulator = new Simulator();
  try {
    const minimised = await minimise(task, first.kind, {
      run: (next) => simulator.run(next),
      mayGoOn: () => performance.now() < endMs,
      onRun: (_runs, { faults, totals }) => {
        progress.add();
        progress.note(`${totals.deliveries} deliveries, ${faults.length} faults`);
      },
    });
    const { task: small, result, runs, isPartial } = minimised;
    const violation = result.violations.find(({ kind }) => kind === first.kind) ?? first;
    const history = pickHistory(result.lines, violation.about.slice(0, 1));
    return [
      `the smallest of ${runs} runs that still fails, of ${describeTask(small)}:`,
      ...history.slice(-maxLines).map((line) => `  ${line}`),
      `  VIOLATION ${violation.kind}: ${violation.text} (${violation.about.join(', ')})`,
      ...(isPartial ? ['time ran out; --minimise-fully goes on until nothing can be removed'] : []),
    ].join('\n');
  } finally {
    progress.end();
    await simulator.stop();
  }
}

/** The first violation of a world, and the command that shows it again. */
export function describeViolation({ seed, violations }: TracedResult, task: WorldTask): string {
  const [first] = violations;
  return [
    `seed ${seed}: ${first?.kind}: ${first?.text} (${first?.about.join(', ')})`,
    `again: npm --prefix proofs run simulate -- ${describeTask(task)} --trace`,
  ].join('\n');
}

/** A task as the command line has it. */
export function describeTask({ seed, service, options, bug }: WorldTask): string {
  const clicks = options?.maxClicks ? ` --clicks ${options.maxClicks}` : '';
  const ofService = service === 'orders' ? '--service orders ' : '';
  return `${ofService}--seed ${seed}${clicks}${bug ? ` --bug "${bug.name}"` : ''}`;
}
