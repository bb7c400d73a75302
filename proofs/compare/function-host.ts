import { type ChildProcess, fork } from 'node:child_process';
import { on } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { PackagedService } from '../../fixtures/packaged-service.ts';
import { listen } from '../../loopback/http-server.ts';
import { localEnvironment } from '../../loopback/local-aws.ts';
import type { FromFunction, InstanceSettings, Invocation, ToFunction } from './function-process.ts';

/** How an invocation ended. A timeout also counts as `killed`. */
export type InvocationResult = Extract<FromFunction, { type: 'ended' }> | { type: 'killed' };

interface InvokeOptions {
  killAfterMs?: number;
  /** Called each time the function waits for its turn. */
  onWaiting?(): void;
}

export type FunctionHost = Awaited<ReturnType<typeof createFunctionHost>>;
export type FunctionInstance = Awaited<ReturnType<FunctionHost['openInstance']>>;

/**
 * Runs each function instance in its own process, which a later instance may reuse. `cleanup` ends all
 * of them.
 */
export async function createFunctionHost(
  { environment }: PackagedService,
  dynamodbEndpoint: string,
  cleanup: AsyncDisposableStack,
) {
  const dir = cleanup.use(await mkdtempDisposable(path.join(tmpdir(), 'click-tally-compare-')));
  await bundleFunctions(dir.path);
  // Accepts every connection and never answers.
  const silence = await listen(createServer((socket) => socket.on('error', () => undefined)));
  cleanup.defer(silence.stop);
  const env = {
    ...localEnvironment(),
    ...environment,
    TABLE_NAME: 'none-yet',
    AWS_LAMBDA_FUNCTION_NAME: 'aggregate-clicks',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    NODE_COMPILE_CACHE: path.join(dir.path, 'compile-cache'),
  };
  const start = () => {
    const entry = path.join(dir.path, 'function-process.mjs');
    const child = fork(entry, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    cleanup.defer(() => void child.kill('SIGKILL'));
    return child;
  };
  const spare: ChildProcess[] = [];
  const openInstance = async (settings: Pick<InstanceSettings, 'approach' | 'tableName'>) => {
    const child = spare.pop() ?? start();
    const opened = waitFor(child, 'opened');
    send(child, {
      type: 'open',
      settings: { ...settings, dynamodbEndpoint, silentPort: silence.port },
    });
    await opened;
    const isAlive = () => child.exitCode === null && child.signalCode === null;
    return {
      isAlive,
      invoke: (invocation: Invocation, options?: InvokeOptions) =>
        invoke(child, invocation, options),
      /** Resumes a waiting function, unless it was killed meanwhile. */
      go: () => void (child.connected && send(child, { type: 'go' })),
      /** Makes the process available to another instance. */
      release: () => void (isAlive() && spare.push(child)),
    };
  };
  return { openInstance };
}

// As for a deployment, so that a killed process's successor starts fast.
async function bundleFunctions(outdir: string): Promise<void> {
  await build({
    entryPoints: [path.join(import.meta.dirname, 'function-process.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // The SDK's CommonJS parts call require(), which ES modules don't have.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'error',
  });
}

async function invoke(
  child: ChildProcess,
  invocation: Invocation,
  { killAfterMs, onWaiting }: InvokeOptions = {},
): Promise<InvocationResult> {
  let isDying = killAfterMs !== undefined;
  const timer = killAfterMs && setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const onMessage = ({ type }: FromFunction) => {
    if (type === 'waiting') onWaiting?.();
    if (type === 'dying') isDying = true;
  };
  child.on('message', onMessage);
  try {
    const ended = waitFor(child, 'ended');
    send(child, { type: 'invoke', invocation });
    return await ended;
  } catch (error) {
    // A process that exits without an injected fault means a bug of the gauntlet itself.
    if (child.signalCode !== 'SIGKILL' || !isDying) throw error;
    return { type: 'killed' };
  } finally {
    clearTimeout(timer || undefined);
    child.off('message', onMessage);
  }
}

function send(child: ChildProcess, message: ToFunction): void {
  child.send(message);
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
