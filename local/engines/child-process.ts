import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';

// The program lives as long as this shell's standard input stays open. However its parent ends,
// even by SIGKILL, that pipe closes and the program's whole process group goes with it.
const leash = `
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
{ read _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
leash=$!
wait "$program"; code=$?
kill -KILL "$leash"
exit "$code"
`;

const keptOutputCharacters = 8_000;

const running = new Set<RunningChild>();
let ending = false;

export interface ChildOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Called with each piece of what the program writes to stdout and stderr. */
  onOutput?: (text: string) => void;
  /** A directory that goes when the program has ended. */
  temporaryDir?: string;
}

export interface RunningChild {
  /** The end of what the program has written so far. */
  output(): string;
  /** Resolves with the exit code once the program and all that it started are gone. */
  exited: Promise<number | null>;
  /** Ends the program and all that it started. */
  stop(): Promise<void>;
}

/** Starts a program that never outlives this process. */
export function startChild(
  command: string,
  args: string[],
  options: ChildOptions = {},
): RunningChild {
  if (ending) throw new Error(`${command} is not started, because this process is ending.`);
  const child = spawn('sh', ['-c', leash, 'leash', command, ...args], {
    cwd: options.cwd,
    env: options.env,
    // A group of its own: Ctrl-C in the terminal reaches only us, and we end it in order.
    detached: true,
  });
  let written = '';
  const collect = (text: string) => {
    written = (written + text).slice(-keptOutputCharacters);
    options.onOutput?.(text);
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  // A program that ended by itself breaks the pipe, which is no news.
  child.stdin.on('error', () => undefined);

  const exited = once(child, 'close').then(async ([code]: (number | null)[]) => {
    if (options.temporaryDir) await rm(options.temporaryDir, { recursive: true, force: true });
    return code ?? null;
  });
  const stop = async () => {
    child.stdin.destroy();
    await exited;
  };
  const runningChild = { output: () => written, exited, stop };
  running.add(runningChild);
  exited.then(() => running.delete(runningChild));
  return runningChild;
}

/** Ends every program that was started, and lets no other start: for the end of this process. */
export async function endAllChildren(): Promise<void> {
  ending = true;
  await Promise.all([...running].map((child) => child.stop()));
}
