import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import type { FromFunction, InstanceSettings, Invocation, ToFunction } from './function-process.ts';

/** How an invocation ended. A timeout also counts as `killed`. */
export type InvocationResult = Extract<FromFunction, { type: 'ended' }> | { type: 'killed' };

interface InvokeOptions {
  killAfterMs?: number;
  /** Called each time the function waits for its turn. */
  onWaiting?(): void;
}

export type FunctionHost = ReturnType<typeof createFunctionHost>;
export type FunctionInstance = Awaited<ReturnType<FunctionHost['openInstance']>>;

/** Runs each function instance in its own process, which a later instance may reuse. */
export function createFunctionHost(entry: string, env: NodeJS.ProcessEnv) {
  const spare: ChildProcess[] = [];
  const openInstance = async (settings: InstanceSettings) => {
    const child =
      spare.pop() ?? fork(entry, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    const send = (message: ToFunction) => child.send(message);
    const opened = waitFor(child, 'opened');
    send({ type: 'open', settings });
    await opened;
    const invoke = async (
      invocation: Invocation,
      { killAfterMs, onWaiting }: InvokeOptions = {},
    ): Promise<InvocationResult> => {
      let isDying = killAfterMs !== undefined;
      const timer = killAfterMs && setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      const onMessage = ({ type }: FromFunction) => {
        if (type === 'waiting') onWaiting?.();
        if (type === 'dying') isDying = true;
      };
      child.on('message', onMessage);
      try {
        const ended = waitFor(child, 'ended');
        send({ type: 'invoke', invocation });
        return await ended;
      } catch (error) {
        // A process that exits without an injected fault means a bug of the gauntlet itself.
        if (child.signalCode !== 'SIGKILL' || !isDying) throw error;
        return { type: 'killed' };
      } finally {
        clearTimeout(timer || undefined);
        child.off('message', onMessage);
      }
    };
    const isAlive = () => child.exitCode === null && child.signalCode === null;
    return {
      ...{ invoke, isAlive },
      /** Resumes a waiting function, unless it was killed meanwhile. */
      go: () => void (child.connected && send({ type: 'go' })),
      /** Makes the process available to another instance. */
      release: () => void (isAlive() && spare.push(child)),
    };
  };
  return { openInstance };
}

async function waitFor<T extends FromFunction['type']>(
  child: ChildProcess,
  type: T,
): Promise<Extract<FromFunction, { type: T }>> {
  for await (const [message] of on(child, 'message', { close: ['exit'] })) {
    if (message.type === type) return message;
  }
  throw new Error(`A function's process exited: ${child.exitCode ?? child.signalCode}`);
}
