import type { Job, JobResult } from './jobs.ts';
import { minimise, pickHistory } from './minimise.ts';
import { Simulator } from './pool.ts';

const maxLines = 60;

/** Tells what went wrong in a world: as small as it can be had, and how to see it again. */
export async function describeFindings(failed: JobResult, job: Job): Promise<string> {
  const [first] = failed.violations;
  if (!first) return 'no violations';
  const simulator = new Simulator();
  try {
    const {
      result,
      job: small,
      runs,
    } = await minimise(job, first.kind, (next) => simulator.run(next));
    const violation = result.violations.find(({ kind }) => kind === first.kind) ?? first;
    const history = pickHistory(result.lines, violation.about.slice(0, 1));
    return [
      '',
      `seed ${failed.seed}: ${first.kind}: ${first.text} (${first.about.join(', ')})`,
      `again: npm run simulate -- ${describeJob(job)} --trace`,
      `the smallest of ${runs} runs that still goes wrong, of ${describeJob(small)}:`,
      ...history.slice(-maxLines).map((line) => `  ${line}`),
      `  VIOLATION ${violation.kind}: ${violation.text} (${violation.about.join(', ')})`,
    ].join('\n');
  } finally {
    await simulator.stop();
  }
}

/** A job as the command line has it. */
export function describeJob({ seed, options, bug }: Job): string {
  const clicks = options?.maxClicks ? ` --clicks ${options.maxClicks}` : '';
  return `--seed ${seed}${clicks}${bug ? ` --bug "${bug}"` : ''}`;
}
