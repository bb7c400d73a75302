import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { FromFunction, InstanceSettings, Invocation, ToFunction } from './protocol.ts';

/** How an invocation ended. A timeout also counts as `killed`. */
export type InvocationResult =
  | Extract<FromFunction, { type: 'answered' | 'failed' }>
  | { type: 'killed' };

interface InvokeOptions {
  killAfterMs?: number;
  /** Called each time the function waits for its turn. */
  onWaiting?(): void;
}

interface WorkerProcess {
  child: ChildProcess;
  ready: Promise<unknown>;
  errorOutput: string[];
}

const spareCount = 2;

/**
 * Runs function instances in processes of their own. The next instance reuses the process of the
 * last one. If that process was killed, a spare one is already starting.
 */
export function createFunctionHost(entry: string, environment: NodeJS.ProcessEnv) {
  const spare: WorkerProcess[] = [];
  const alive = new Set<WorkerProcess>();

  const start = (): WorkerProcess => {
    const child = fork(entry, { env: environment, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const errorOutput: string[] = [];
    child.stderr?.on('data', (text) => errorOutput.push(String(text)));
    const worker = { child, ready: waitFor(child, ['ready'], errorOutput), errorOutput };
    // A spare process may be stopped before it is ready.
    worker.ready.catch(() => undefined);
    alive.add(worker);
    child.once('exit', () => alive.delete(worker));
    return worker;
  };
  const take = () => {
    while (spare.length < spareCount) spare.push(start());
    return spare.shift() ?? start();
  };

  const openInstance = async (settings: InstanceSettings) => {
    const worker = take();
    const { child, ready, errorOutput } = worker;
    await ready;
    const opened = waitFor(child, ['opened'], errorOutput);
    send(child, { type: 'open', settings });
    await opened;
    return {
      invoke: (invocation: Invocation, options: InvokeOptions = {}) =>
        invokeIn(worker, invocation, options),
      /** Lets a waiting function go on. */
      go: () => send(child, { type: 'go' }),
      /** Makes the process available to another instance. */
      release: () => void (alive.has(worker) && spare.push(worker)),
      get isAlive() {
        return alive.has(worker);
      },
    };
  };

  const stop = async () => {
    const exits = [...alive].map(({ child }) => once(child, 'exit'));
    for (const { child } of alive) child.kill('SIGKILL');
    await Promise.all(exits);
  };
  return { openInstance, stop };
}

export type FunctionHost = ReturnType<typeof createFunctionHost>;
export type FunctionInstance = Awaited<ReturnType<FunctionHost['openInstance']>>;

async function invokeIn(
  { child, errorOutput }: WorkerProcess,
  invocation: Invocation,
  { killAfterMs, onWaiting }: InvokeOptions,
): Promise<InvocationResult> {
  let isDying = false;
  const onMessage = ({ type }: FromFunction) => {
    if (type === 'waiting') onWaiting?.();
    if (type === 'dying') isDying = true;
  };
  child.on('message', onMessage);
  const timer = killAfterMs && setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  try {
    const result = waitFor(child, ['answered', 'failed'], errorOutput);
    send(child, { type: 'invoke', invocation });
    return (await result) as InvocationResult;
  } catch (error) {
    // A process that exits without an injected fault points to a bug of the gauntlet itself.
    if (child.signalCode !== 'SIGKILL' || !(isDying || killAfterMs)) throw error;
    return { type: 'killed' };
  } finally {
    clearTimeout(timer || undefined);
    child.off('message', onMessage);
  }
}

function send(child: ChildProcess, message: ToFunction): void {
  child.send(message);
}

function waitFor(
  child: ChildProcess,
  types: FromFunction['type'][],
  errorOutput: string[],
): Promise<FromFunction> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (message: FromFunction) => {
      if (!types.includes(message.type)) return;
      settle();
      resolve(message);
    };
    const onExit = (code: number | null, signal: string | null) => {
      settle();
      const output = errorOutput.join('');
      reject(new Error(`A function's process exited (${code ?? signal}): ${output}`));
    };
    child.on('message', onMessage).on('exit', onExit);
  });
}
