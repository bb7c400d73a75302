import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseCount } from '../../cli/terminal/arguments.ts';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { listMutants, type Mutant } from '../tools/mutation-report.ts';
import { Simulator } from './simulator.ts';

const reportFile = 'reports/mutation/mutation.json';
const worldTimeoutMs = 60_000;
/** The code whose mutants can lose or double a click. */
const mutatedDir = 'packages/powertools-idempotency-transactional/src/';

interface MutantOptions {
  seeds: number;
  all?: boolean;
  clicks: number;
}

/** How the simulation noticed a mutant, and in which world. */
interface Finding {
  mutant: Mutant;
  worlds: number;
  /** Undefined if it was not noticed. */
  sign?: string;
}

const description =
  "Run the layer's surviving mutants in the simulation, and see which of them its auditor notices. " +
  'They come from the report of npm --prefix proofs run mutate.';

await runProgram(
  createProgram('mutate:simulation', description, 'proofs')
    .option('--seeds <n>', 'number of worlds for each mutant', parseCount, 200)
    .option('--clicks <n>', 'maximum number of clicks in each world', parseCount, 60)
    .option('--all', 'also run mutants that tests kill')
    .action(run),
);

async function run(options: MutantOptions): Promise<void> {
  const report = listMutants(JSON.parse(await readFile(reportFile, 'utf8')));
  const mutants = report.filter(
    ({ file, isAlive, isKilled }) =>
      file.startsWith(mutatedDir) && (isAlive || (isKilled && options.all)),
  );
  const findings = await findAll(mutants, options);
  const found = findings.filter(({ sign }) => sign);
  for (const finding of findings) console.log(format(finding));
  console.log(`\nThe simulation notices ${found.length} of ${findings.length} mutants.`);
}

async function findAll(mutants: Mutant[], options: MutantOptions): Promise<Finding[]> {
  const findings: Finding[] = [];
  const progress = createProgress(mutants.length, 'mutants');
  const waiting = mutants.values();
  const runThread = async () => {
    for (const mutant of waiting) {
      findings.push(await find(mutant, options));
      progress.add();
    }
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, runThread));
  } finally {
    progress.end();
  }
  return findings.sort((a, b) => mutants.indexOf(a.mutant) - mutants.indexOf(b.mutant));
}

/** Runs worlds with a mutant, on its own thread, until the auditor notices it. */
async function find(mutant: Mutant, { seeds, clicks }: MutantOptions): Promise<Finding> {
  const { file, source: whole, mutated, place } = mutant;
  if ((await readFile(file, 'utf8')) !== whole) {
    throw new CommandError(
      `${file} has changed since ${reportFile}. Run npm --prefix proofs run mutate again.`,
    );
  }
  const bug = { name: place, standIns: [{ file, contents: mutated }] };
  await using simulator = new Simulator();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const world = simulator.run({ seed, bug, options: { maxClicks: clicks } });
    const sign = await Promise.race([signOf(world), timeOut()]);
    if (sign) return { mutant, worlds: seed, sign };
  }
  return { mutant, worlds: seeds };
}

async function signOf(world: ReturnType<Simulator['run']>): Promise<string | undefined> {
  try {
    const result = await world;
    return 'violations' in result ? result.violations[0]?.kind : undefined;
  } catch {
    return 'a world that breaks';
  }
}

async function timeOut(): Promise<string> {
  await pause(worldTimeoutMs, undefined, { ref: false });
  return 'a world without end';
}

function format({ mutant: { place, before, after }, worlds, sign }: Finding): string {
  const verdict = sign ? `${sign}, world ${worlds}` : `unnoticed in ${worlds} worlds`;
  return `${place}: ${verdict}\n  - ${before}\n  + ${after}`;
}
