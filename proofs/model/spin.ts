import { execFile } from 'node:child_process';
import { access, constants, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../../cli/terminal/command-error.ts';
import type { Configuration } from './configurations.ts';

const run = promisify(execFile);
const modelDir = import.meta.dirname;
const buildDir = path.join(modelDir, '../../.build/model');
/** More than any configuration needs; pan reports it if one needs more. */
const maxDepth = 2_000_000;
const maxMegabytes = 8_000;

/** How SPIN's search of a configuration ended. */
export interface Verdict {
  /** `incomplete`: SPIN left something out, so the search proves nothing. */
  kind: 'holds' | 'refuted' | 'incomplete';
  states: number;
  depth: number;
  megabytes: number;
  /** Seconds of CPU time of the search, without the compiler's. */
  seconds: number;
  /** What happens in the counterexample, sentence by sentence. */
  counterexample: string[];
  output: string;
}

/** The C compiler, or undefined if it or SPIN is missing. */
export async function findCompiler(): Promise<string | undefined> {
  if (!(await isInstalled('spin'))) return undefined;
  for (const compiler of ['gcc', 'cc', 'clang']) if (await isInstalled(compiler)) return compiler;
  return undefined;
}

/** @throws {CommandError} if SPIN or a C compiler is missing; it says how to install them. */
export async function requireCompiler(): Promise<string> {
  const compiler = await findCompiler();
  if (compiler) return compiler;
  throw new CommandError(
    'Expected spin and a C compiler. Install them: on Debian or Ubuntu "apt-get install spin gcc", on macOS "brew install spin" and "xcode-select --install", elsewhere see https://spinroot.com/spin/Man/README.html.',
  );
}

async function isInstalled(command: string): Promise<boolean> {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const isThere = access(path.join(folder, command), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder && (await isThere)) return true;
  }
  return false;
}

/** Compiles the model into a checker, `pan`, in a folder of its own. Returns the folder. */
export async function compile(
  compiler: string,
  name: string,
  defines: Configuration['defines'],
  flags: string[],
): Promise<string> {
  const folder = path.join(buildDir, name.replaceAll(' ', '-'));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const file of ['protocol.pml', 'trace.pml', 'trace-bounds.pml']) {
    await copyFile(path.join(modelDir, file), path.join(folder, file));
  }
  const given = Object.entries(defines).map(([key, value]) => `-D${key}=${value}`);
  await run('spin', [...given, '-a', 'protocol.pml'], { cwd: folder });
  const common = ['-DNOREDUCE', '-DVECTORSZ=8192', `-DMEMLIM=${maxMegabytes}`];
  await run(compiler, ['-w', ...common, ...flags, '-o', 'pan', 'pan.c'], { cwd: folder });
  return folder;
}

/** Checks a configuration exhaustively, or a variant breadth first, for the shortest counterexample. */
export async function check(
  compiler: string,
  { name, defines }: Configuration,
  isVariant: boolean,
): Promise<Verdict> {
  const isLiveness = defines.CALM === 1;
  const isBreadthFirst = isVariant && !isLiveness;
  const flags = [
    isLiveness ? '-DNFAIR=3' : '-DSAFETY',
    isVariant ? '-O0' : '-O2',
    ...(isBreadthFirst ? ['-DBFS'] : []),
  ];
  const folder = await compile(compiler, name, defines, flags);
  const options = isLiveness ? ['-a', '-f', '-A', `-m${maxDepth}`] : [`-m${maxDepth}`];
  if (isLiveness && isVariant) options.push('-i');
  const output = await search(folder, ['-w20', ...options]);
  const verdict = readVerdict(output);
  if (verdict.kind !== 'refuted') return verdict;
  const replay = await run('./pan', ['-r', 'protocol.pml.trail'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  const sentences = replay.stdout.matchAll(/^> (.*)$/gm);
  const steps = Array.from(sentences, ([, sentence = '']) => sentence);
  const isDay = (sentence?: string) => sentence?.startsWith('day ') ?? false;
  const counterexample = steps.filter((step, index) => !(isDay(step) && isDay(steps[index + 1])));
  return { ...verdict, counterexample };
}

/** Runs pan; the shell adds the CPU time. */
export async function search(folder: string, options: string[]): Promise<string> {
  const script = `./pan ${options.join(' ')}; times`;
  const { stdout } = await run('sh', ['-c', script], { cwd: folder, maxBuffer: 1 << 28 });
  await writeFile(path.join(folder, 'output.txt'), stdout);
  return stdout;
}

function readVerdict(output: string): Verdict {
  const read = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? Number.NaN);
  const isWhole = !/not completed|max search depth|hash-compact|bit ?state|out of memory/i.test(
    output,
  );
  const errors = read(/errors: (\d+)/);
  const [, minutes, seconds] = /(\d+)m([\d.]+)s \d+m[\d.]+s\s*$/.exec(output) ?? [];
  return {
    kind: errors > 0 ? 'refuted' : errors === 0 && isWhole ? 'holds' : 'incomplete',
    states: read(/([\d.e+]+) states, stored/),
    depth: read(/depth reached (\d+)/),
    megabytes: read(/([\d.]+)\s+total actual memory usage/),
    seconds: Number(minutes) * 60 + Number(seconds),
    counterexample: [],
    output,
  };
}
