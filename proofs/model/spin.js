import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../../cli/terminal/command-error.ts';
const run = promisify(execFile);
const buildDir = path.join(import.meta.dirname, '../../.build/model');
/** More than any configuration needs; pan reports it if one needs more. */
const maxDepth = 2000000;
const maxMegabytes = 8000;
/** The C compiler, or undefined if it or SPIN is missing. */
export async function findCompiler() {
    const script = 'command -v spin >&2 && (command -v gcc || command -v cc || command -v clang)';
    const found = await run('sh', ['-c', script]).catch(() => undefined);
    return found?.stdout.trim();
}
/** @throws {CommandError} if SPIN or a C compiler is missing; it says how to install them. */
export async function requireCompiler() {
    const compiler = await findCompiler();
    if (compiler)
        return compiler;
    throw new CommandError('Expected spin and a C compiler. Install them: on Debian or Ubuntu "apt-get install spin gcc", on macOS "brew install spin" and "xcode-select --install", elsewhere see https://spinroot.com/spin/Man/README.html.');
}
/**
 * Checks a configuration exhaustively, or a mutant breadth first, for the shortest counterexample. Liveness holds
 * without any assumption of fairness.
 *
 * @throws {Error} if the text that a mutant changes isn't in the model exactly once.
 */
export async function check(compiler, configuration) {
    const { name, defines, changes, flaw } = configuration;
    const folder = path.join(buildDir, name.replaceAll(/[' ]/g, '-'));
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'protocol.pml'), await readModel(changes));
    const isLiveness = Number(defines.CALM) === 1;
    const isMutant = flaw !== '-';
    const flags = isMutant ? ['-O0'] : ['-O2', '-DCOLLAPSE'];
    flags.push(isLiveness ? '-DNOFAIR' : '-DSAFETY', ...(isMutant && !isLiveness ? ['-DBFS'] : []));
    const given = Object.entries(defines).map(([key, value]) => `-D${key}=${value}`);
    await run('spin', [...given, '-a', 'protocol.pml'], { cwd: folder });
    const common = ['-DNOREDUCE', '-DVECTORSZ=8192', `-DMEMLIM=${maxMegabytes}`];
    await run(compiler, ['-w', ...common, ...flags, '-o', 'pan', 'pan.c'], { cwd: folder });
    // Liveness alone, where a mutant breaks it together with an invariant.
    const liveness = isLiveness ? ['-a', ...(isMutant ? ['-A'] : [])] : [];
    const verdict = readVerdict(await search(folder, liveness));
    if (verdict.kind !== 'refuted')
        return verdict;
    const counterexample = await replay(folder);
    if (isLiveness)
        counterexample.push('and a click is never counted');
    return { ...verdict, counterexample };
}
async function readModel(changes) {
    let model = await readFile(path.join(import.meta.dirname, 'protocol.pml'), 'utf8');
    for (const [from, to] of changes) {
        const [before, after, ...more] = model.split(from);
        if (before === undefined || after === undefined || more.length > 0) {
            throw new Error(`expected protocol.pml to have this text once: ${from}`);
        }
        model = before + to + after;
    }
    return model;
}
/** Runs pan; the shell adds the CPU time. */
async function search(folder, options) {
    const script = `./pan -w20 -m${maxDepth} ${options.join(' ')}; times`;
    const { stdout } = await run('sh', ['-c', script], { cwd: folder, maxBuffer: 1 << 28 });
    return stdout;
}
/** What happens in the counterexample. */
async function replay(folder) {
    const replayed = run('./pan', ['-r', 'protocol.pml.trail'], { cwd: folder });
    const { stdout } = await replayed.catch((error) => error);
    const steps = Array.from(stdout.matchAll(/^> (.*)$/gm), ([, sentence = '']) => sentence);
    const isDay = (sentence) => sentence?.startsWith('day ') ?? false;
    return steps.filter((step, index) => !(isDay(step) && isDay(steps[index + 1])));
}
function readVerdict(output) {
    const read = (pattern) => Number(pattern.exec(output)?.[1] ?? Number.NaN);
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
