import { execFile } from 'node:child_process';
import { cp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../../cli/terminal/command-error.ts';
import type { Configuration } from './configurations.ts';

const run = promisify(execFile);
const buildDir = path.join(import.meta.dirname, '../../.build/model');
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
}

/** The C compiler, or undefined if it or SPIN is missing. */
export async function findCompiler(): Promise<string | undefined> {
  const script = 'command -v spin >&2 && (command -v gcc || command -v cc || command -v clang)';
  const found = await run('sh', ['-c', script]).catch(() => undefined);
  return found?.stdout.trim();
}

/** @throws {CommandError} if SPIN or a C compiler is missing; it says how to install them. */
export async function requireCompiler(): Promise<string> {
  const compiler = await findCompiler();
  if (compiler) return compiler;
  throw new CommandError(
    'Expected spin and a C compiler. Install them: on Debian or Ubuntu "apt-get install spin gcc", on macOS "brew install spin" and "xcode-select --install", elsewhere see https://spinroot.com/spin/Man/README.html.',
  );
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
  await cp(import.meta.dirname, folder, { recursive: true });
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
  const isLiveness = Number(defines.CALM) === 1;
  const compilerFlags = [isLiveness ? '-DNFAIR=3' : '-DSAFETY', isVariant ? '-O0' : '-O2'];
  if (isVariant && !isLiveness) compilerFlags.push('-DBFS');
  const folder = await compile(compiler, name, defines, compilerFlags);
  const options = ['-w20', `-m${maxDepth}`];
  if (isLiveness) options.push('-a', '-f', '-A', ...(isVariant ? ['-i'] : []));
  const verdict = readVerdict(await search(folder, options));
  if (verdict.kind !== 'refuted') return verdict;
  const replay = run('./pan', ['-r', 'protocol.pml.trail'], { cwd: folder });
  const { stdout } = await replay.catch((error: { stdout: string }) => error);
  const steps = Array.from(stdout.matchAll(/^> (.*)$/gm), ([, sentence = '']) => sentence);
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
  const gap = /not completed|max search depth|hash-compact|bit ?state|out of memory/i;
  const errors = read(/errors: (\d+)/);
  const [, minutes, seconds] = /(\d+)m([\d.]+)s \d+m[\d.]+s\s*$/.exec(output) ?? [];
  return {
    kind: errors > 0 ? 'refuted' : errors === 0 && !gap.test(output) ? 'holds' : 'incomplete',
    states: read(/([\d.e+]+) states, stored/),
    depth: read(/depth reached (\d+)/),
    megabytes: read(/([\d.]+)\s+total actual memory usage/),
    seconds: Number(minutes) * 60 + Number(seconds),
    counterexample: [],
  };
}
