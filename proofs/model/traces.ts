import { parseCount } from '../../cli/terminal/arguments.ts';
import { printLine } from '../../cli/terminal/print.ts';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { type BugChoice, parseBug } from '../simulation/bug-choice.ts';
import { runTasks } from '../simulation/simulator.ts';
import type { TracedResult, WorldTask } from '../simulation/tasks.ts';
import { createFollower, type Refusal } from './follower.ts';
import { requireCompiler } from './spin.ts';
import type { Recorded } from './trace-events.ts';

const defaultWorlds = 10_000;
const maxClicks = 4;
/** Traces that one run of pan follows. */
const chunkSize = 500;

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
  const follow = await createFollower(await requireCompiler());
  const progress = createProgress(worlds, 'worlds');
  const found: Refusal[] = [];
  const count = { followed: 0, steps: 0, tooLarge: 0 };
  let waiting = new Map<number, Recorded>();
  const followAll = async () => {
    const traces = waiting;
    waiting = new Map();
    if (traces.size > 0) found.push(...(await follow(traces)));
  };
  let following = Promise.resolve();
  const onResult = ({ seed, recorded }: TracedResult) => {
    progress.add();
    if (!recorded || recorded.isTooLarge) count.tooLarge += 1;
    else {
      waiting.set(seed, recorded);
      count.followed += 1;
      count.steps += recorded.lines.length;
    }
    if (waiting.size >= chunkSize) following = following.then(followAll);
    return found.length === 0;
  };
  try {
    await runTasks(listTasks(from, worlds, bug), onResult);
    await following.then(followAll);
  } finally {
    progress.end();
  }
  const left = count.tooLarge > 0 ? `; ${count.tooLarge} worlds were too large to follow` : '';
  console.log(`${count.followed} traces of ${count.steps} steps, ${found.length} refused${left}`);
  for (const { seed, steps } of found.slice(0, 3)) {
    printLine(`seed ${seed}: the model does not allow the last of these steps`);
    for (const step of steps) printLine(`  ${step}`);
  }
  if (found.length > 0) process.exitCode = exitCodes.failure;
}

function* listTasks(
  from: number,
  worlds: number,
  bug?: BugChoice,
): Generator<WorldTask, undefined> {
  const change = typeof bug === 'object' ? { bug } : {};
  for (let seed = from; seed < from + worlds; seed += 1) {
    yield { seed, ...change, isRecorded: true, options: { maxClicks, push: 'absent' } };
  }
}
