import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Stoppable } from '../../loopback/stoppable.ts';

// The program lives as long as this shell's standard input stays open. However this process ends,
// even by SIGKILL, the pipe closes and the shell kills the program's whole process group.
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
  /** Receives each chunk that the program writes to stdout or stderr. */
  onOutput?: (text: string) => void;
  /** Disposed of when the program has ended, for example its temporary directory. */
  resource?: AsyncDisposable;
}

export interface RunningChild extends Stoppable {
  /** The end of the program's output so far. */
  output(): string;
  /** Resolves with the exit code once the program and all its children have ended. */
  exited: Promise<number | null>;
}

/** Starts a program that never outlives this process. */
export function startChild(
  command: string,
  args: string[],
  options: ChildOptions = {},
): RunningChild {
  if (ending) throw new Error(`Cannot start ${command}: this process is ending.`);
  const child = spawn('sh', ['-c', leash, 'leash', command, ...args], {
    cwd: options.cwd,
    env: options.env,
    // In its own process group, the program doesn't get Ctrl-C, so we can stop it cleanly.
    detached: true,
  });
  let written = '';
  const collect = (text: string) => {
    written = (written + text).slice(-keptOutputCharacters);
    options.onOutput?.(text);
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  // A program that ends by itself breaks the pipe.
  child.stdin.on('error', () => undefined);

  const exited = once(child, 'close').then(async ([code]: (number | null)[]) => {
    await options.resource?.[Symbol.asyncDispose]();
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

/** Stops all programs and prevents further starts. Call it only when this process ends. */
export async function endAllChildren(): Promise<void> {
  ending = true;
  await Promise.all([...running].map((child) => child.stop()));
}
