import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
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
 * Runs each function instance in its own process. The next instance reuses the last one's process. If
 * that was killed, a spare one is already starting.
 */
export function createFunctionHost(entry: string, environment: NodeJS.ProcessEnv) {
  const spare: WorkerProcess[] = [];
  const alive = new Set<WorkerProcess>();

  const start = (): WorkerProcess => {
    const child = fork(entry, { env: environment, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const errorOutput: string[] = [];
    child.stderr?.on('data', (text) => errorOutput.push(String(text)));
    const worker = { child, errorOutput, ready: waitFor({ child, errorOutput }, ['ready']) };
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
    await worker.ready;
    const opened = waitFor(worker, ['opened']);
    send(worker.child, { type: 'open', settings });
    await opened;
    return {
      invoke: (invocation: Invocation, options: InvokeOptions = {}) =>
        invokeIn(worker, invocation, options),
      /** Resumes a waiting function, unless it was killed meanwhile. */
      go: () => void (worker.child.connected && send(worker.child, { type: 'go' })),
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
  worker: WorkerProcess,
  invocation: Invocation,
  { killAfterMs, onWaiting }: InvokeOptions,
): Promise<InvocationResult> {
  const { child } = worker;
  let isDying = false;
  const onMessage = ({ type }: FromFunction) => {
    if (type === 'waiting') onWaiting?.();
    if (type === 'dying') isDying = true;
  };
  child.on('message', onMessage);
  const timer = killAfterMs && setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  try {
    const result = waitFor(worker, ['answered', 'failed']);
    send(child, { type: 'invoke', invocation });
    return (await result) as InvocationResult;
  } catch (error) {
    // A process that exits without an injected fault means a bug of the gauntlet itself.
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

async function waitFor(
  { child, errorOutput }: Pick<WorkerProcess, 'child' | 'errorOutput'>,
  types: FromFunction['type'][],
): Promise<FromFunction> {
  for await (const [message] of on(child, 'message', { close: ['exit'] })) {
    if (types.includes(message.type)) return message;
  }
  const reason = child.exitCode ?? child.signalCode;
  throw new Error(`A function's process exited (${reason}): ${errorOutput.join('')}`);
}
