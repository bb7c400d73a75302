import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { FromFunction, Instance, Invocation, ToFunction } from './protocol.ts';

/** What became of an invocation; `killed` also stands for a timeout. */
export type Ending = Extract<FromFunction, { type: 'answered' | 'failed' }> | { type: 'killed' };

type Process = { child: ChildProcess; ready: Promise<unknown>; complaints: string[] };

/**
 * Runs function instances in processes of their own. A process is used again for the next
 * instance, unless it was killed; then another is already being started.
 */
export function createFunctionHost(entry: string, environment: NodeJS.ProcessEnv) {
  const spare: Process[] = [];
  const all = new Set<Process>();

  const start = (): Process => {
    const child = fork(entry, { env: environment, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    const complaints: string[] = [];
    child.stderr?.on('data', (text) => complaints.push(String(text)));
    const process_ = { child, ready: waitFor(child, ['ready'], complaints), complaints };
    // One that is stopped before it was needed has nobody to disappoint.
    process_.ready.catch(() => undefined);
    all.add(process_);
    child.once('exit', () => all.delete(process_));
    return process_;
  };
  const take = () => {
    while (spare.length < 2) spare.push(start());
    return spare.shift() ?? start();
  };

  const openInstance = async (instance: Instance) => {
    const used = take();
    const { child, ready, complaints } = used;
    await ready;
    const opened = waitFor(child, ['opened'], complaints);
    send(child, { type: 'open', instance });
    await opened;
    return {
      /** `onWaiting` is told each time when the function waits for its turn; `go` lets it go on. */
      invoke: (
        invocation: Invocation,
        options: { killAfterMs?: number; onWaiting?(): void } = {},
      ) => invokeIn(used, invocation, options),
      go: () => send(child, { type: 'go' }),
      /** Gives the process back. */
      release: () => void (all.has(used) && spare.push(used)),
      get isAlive() {
        return all.has(used);
      },
    };
  };

  const stop = async () => {
    const exits = [...all].map(({ child }) => once(child, 'exit'));
    for (const { child } of all) child.kill('SIGKILL');
    await Promise.all(exits);
  };
  return { openInstance, stop };
}

export type FunctionHost = ReturnType<typeof createFunctionHost>;
export type FunctionInstance = Awaited<ReturnType<FunctionHost['openInstance']>>;

async function invokeIn(
  { child, complaints }: Process,
  invocation: Invocation,
  { killAfterMs, onWaiting }: { killAfterMs?: number; onWaiting?(): void },
): Promise<Ending> {
  let isDying = false;
  const listen = (message: FromFunction) => {
    if (message.type === 'waiting') onWaiting?.();
    if (message.type === 'dying') isDying = true;
  };
  child.on('message', listen);
  const timer = killAfterMs && setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  try {
    const ending = waitFor(child, ['answered', 'failed'], complaints);
    send(child, { type: 'invoke', invocation });
    return (await ending) as Ending;
  } catch (error) {
    // A process that ends without having been killed is a fault of the gauntlet itself.
    if (child.signalCode !== 'SIGKILL' || !(isDying || killAfterMs)) throw error;
    return { type: 'killed' };
  } finally {
    clearTimeout(timer || undefined);
    child.off('message', listen);
  }
}

function send(child: ChildProcess, message: ToFunction): void {
  child.send(message);
}

function waitFor(
  child: ChildProcess,
  types: FromFunction['type'][],
  complaints: string[],
): Promise<FromFunction> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      child.off('message', listen);
      child.off('exit', fail);
    };
    const listen = (message: FromFunction) => {
      if (!types.includes(message.type)) return;
      settle();
      resolve(message);
    };
    const fail = (code: number | null, signal: string | null) => {
      settle();
      reject(new Error(`A function's process ended (${code ?? signal}): ${complaints.join('')}`));
    };
    child.on('message', listen).on('exit', fail);
  });
}
