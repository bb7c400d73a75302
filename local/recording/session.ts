import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { CommandError } from '../../terminal/command-error.ts';
import { projectDir } from '../engines/serverless.ts';

/** A command to record. Port 3000 stands for the port of the stack. */
export interface Step {
  title: string;
  command: string;
  /** Which lines of the output are shown; all if undefined. */
  show?: RegExp;
  /** The output that the recording waits for. A command that has ended without it runs again. */
  until?: RegExp;
  /** Whether to leave out the wait before the command, and to say so. */
  cutsWait?: boolean;
  /** Whether the command runs until the end of the recording. */
  keepsRunning?: boolean;
  /** The pause after each line when the recording is played. */
  linePauseMs?: number;
}

/** A recorded command. */
export interface Take extends Pick<Step, 'title' | 'command' | 'linePauseMs'> {
  lines: string[];
  /** The wait that is left out, to ten seconds; undefined if there is none. */
  cutSeconds?: number;
}

const shownPort = 3000;
const outputTimeoutMs = 180_000;
const pollMs = 300;
const token = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/**
 * Runs the steps one after another on a stack at `port`, and records what they print.
 *
 * @throws {CommandError} if a command fails, or never prints what the recording waits for.
 */
export async function recordSession(
  steps: Step[],
  port: number,
  signal: AbortSignal,
): Promise<Take[]> {
  await using running = new AsyncDisposableStack();
  const takes: Take[] = [];
  for (const step of steps) {
    console.log(`$ ${step.command}`);
    const startedMs = performance.now();
    const output = await play(step, { port, running, signal });
    const waitedMs = performance.now() - startedMs;
    const { title, command, linePauseMs } = step;
    takes.push({
      title,
      command,
      lines: tidy(output, port, step.show),
      ...(linePauseMs !== undefined && { linePauseMs }),
      ...(step.cutsWait && { cutSeconds: Math.round(waitedMs / 10_000) * 10 }),
    });
  }
  return takes;
}

/**
 * Replaces what differs on every machine and what nobody may see, and picks the lines to show. A "…"
 * stands for the others.
 */
export function tidy(output: string, port: number, show = /^/): string[] {
  const lines = output
    .replaceAll(token, '<token>')
    .replaceAll(`:${port}`, `:${shownPort}`)
    .replaceAll(projectDir, '~/click-tally')
    .trim()
    .split(/\r?\n/);
  const shown = lines.filter((line) => show.test(stripVTControlCharacters(line)));
  return shown.length < lines.length ? [...shown, '…'] : shown;
}

async function play(
  step: Step,
  { port, running, signal }: { port: number; running: AsyncDisposableStack; signal: AbortSignal },
): Promise<string> {
  const deadline = Date.now() + outputTimeoutMs;
  let program = running.use(launch(step.command, port));
  while (true) {
    await Promise.race([program.ended, sleep(pollMs)]);
    signal.throwIfAborted();
    if (isComplete(step, program)) return program.output();
    const exitCode = program.exitCode();
    const hasFailed =
      exitCode !== undefined && (exitCode !== 0 || !step.until || step.keepsRunning);
    if (hasFailed || Date.now() > deadline) {
      throw new CommandError(describeFailure(step, tidy(program.output(), port)));
    }
    if (exitCode === undefined) continue;
    await sleep(pollMs);
    program = running.use(launch(step.command, port));
  }
}

function describeFailure({ command, until }: Step, lines: string[]): string {
  const expected = until ? `print ${until}` : 'succeed';
  return `Expected "${command}" to ${expected}; got:\n${lines.join('\n')}`;
}

function isComplete({ until, keepsRunning }: Step, { exitCode, output }: Program): boolean {
  if (until && !until.test(stripVTControlCharacters(output()))) return false;
  return keepsRunning || exitCode() === 0;
}

type Program = ReturnType<typeof launch>;

/** Starts a command in a shell, as a user does, but on the stack at `port`. */
function launch(command: string, port: number) {
  const child = spawn('sh', ['-c', `exec 2>&1; ${toLine(command, port)}`], {
    cwd: projectDir,
    env: { ...process.env, FORCE_COLOR: '1', npm_config_loglevel: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  let exitCode: number | undefined;
  const ended = once(child, 'close').then(([code]) => {
    exitCode = code ?? Number.NaN;
  });
  return {
    output: () => written,
    ended,
    /** Undefined until the program has ended. */
    exitCode: () => exitCode,
    async [Symbol.asyncDispose]() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

function toLine(command: string, port: number): string {
  const line = command.replaceAll(`:${shownPort}`, `:${port}`);
  if (!line.startsWith('npm ')) return line;
  return `exec ${line}${line.includes(' -- ') ? '' : ' --'} --port ${port}`;
}
