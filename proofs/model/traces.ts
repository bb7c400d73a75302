import { parseCount } from '../../cli/terminal/arguments.ts';
import { printLine } from '../../cli/terminal/print.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { type BugChoice, parseBug } from '../simulation/bug-choice.ts';
import { createFollower } from './follower.ts';
import { requireCompiler } from './spin.ts';

const defaultWorlds = 10_000;
const maxClicks = 4;

const description = `Record what the real code does in small simulated worlds, and check that each step is one of the model's.
Exits with 1 if the model refuses a trace.`;

await runProgram(
  createProgram('traces', description, 'proofs')
    .option('--worlds <n>', 'how many', parseCount, defaultWorlds)
    .option('--from <n>', 'the first seed', parseCount, 1)
    .option('--bug <name>', 'plant a bug of the simulation in the service', parseBug)
    .action(checkTraces),
);

interface TraceOptions {
  worlds: number;
  from: number;
  bug?: BugChoice;
}

async function checkTraces({ worlds, from, bug }: TraceOptions): Promise<void> {
  const followWorlds = await createFollower(await requireCompiler());
  const progress = createProgress(worlds, 'worlds');
  const options = { count: worlds, maxClicks, from, ...(typeof bug === 'object' && { bug }) };
  const found = await followWorlds(options, progress.add).finally(progress.end);
  const { traces, steps, tooLarge, refused } = found;
  const left = tooLarge > 0 ? `; worlds too large to follow: ${tooLarge}` : '';
  console.log(`${traces} traces of ${steps} steps, ${refused.length} refused${left}`);
  for (const { seed, steps } of refused.slice(0, 3)) {
    printLine(`seed ${seed}: the model does not allow the last of these steps`);
    for (const step of steps) printLine(`  ${step}`);
  }
  if (refused.length > 0) process.exitCode = exitCodes.failure;
}
