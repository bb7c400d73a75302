import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { buildFunctionCode, type FunctionSource, type Service } from './function-code.ts';
import type { ResultOf, ServiceChange, Task } from './tasks.ts';
import type { Message } from './worker.ts';

interface Reply {
  result?: unknown;
  error?: string;
}

/** Instances come and go, so most of the garbage is young. A larger space takes longer to map. */
const resourceLimits = { maxYoungGenerationSizeMb: 128 };

const sound: Record<Service, ServiceChange> = {
  clicks: { name: 'the sound service', standIns: [] },
  orders: { name: 'the sound orders', standIns: [] },
};
const sources = new WeakMap<ServiceChange, Promise<FunctionSource>>();

/** A thread that runs one world after another. */
export class Simulator {
  readonly #worker = new Worker(new URL('worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits,
  });
  readonly #exited = new Promise((resolve) => this.#worker.once('exit', resolve));
  #previous: Promise<unknown> = Promise.resolve();
  /** Tasks that have no result yet. */
  #asked = 0;
  readonly #known = new WeakSet<ServiceChange>();

  /** @throws Error if the simulation itself fails; it names the task. */
  run<T extends Task>(task: T): Promise<ResultOf<T>> {
    this.#asked += 1;
    const result = this.#previous
      .then(() => this.#ask(task))
      .finally(() => {
        this.#asked -= 1;
      });
    this.#previous = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread: an idle one ends by itself, because ending many by force can crash V8. */
  async stop(): Promise<void> {
    if (this.#asked > 0) {
      await this.#worker.terminate();
      return;
    }
    this.#worker.postMessage('stop' satisfies Message);
    await this.#exited;
  }

  async #ask<T extends Task>(task: T): Promise<ResultOf<T>> {
    const service = serviceOf(task);
    const { bug = sound[service] } = task;
    const isNew = !this.#known.has(bug);
    const message: Message = { task, ...(isNew && { source: await sourceWith(bug, service) }) };
    this.#known.add(bug);
    return new Promise((resolve, reject) => {
      const onReply = ({ result, error }: Reply) => {
        this.#worker.off('error', reject);
        if (result) resolve(result as ResultOf<T>);
        else reject(new Error(error));
      };
      this.#worker.once('message', onReply).once('error', reject);
      this.#worker.postMessage(message);
    });
  }
}

/** Whose functions a task is about. */
export function serviceOf(task: Task): Service {
  return ('service' in task && task.service) || 'clicks';
}

function sourceWith(bug: ServiceChange, service: Service): Promise<FunctionSource> {
  let source = sources.get(bug);
  if (!source) {
    source = buildFunctionCode(bug.standIns, undefined, service);
    sources.set(bug, source);
  }
  return source;
}

/** Performs tasks on all cores until there are no more, or until `onResult` returns false. */
export async function runTasks<T extends Task>(
  tasks: Iterator<T>,
  onResult: (result: ResultOf<T>, task: T) => boolean,
  threads = availableParallelism(),
): Promise<void> {
  let goesOn = true;
  const runThread = async () => {
    const simulator = new Simulator();
    try {
      for (let next = tasks.next(); goesOn && !next.done; next = tasks.next()) {
        goesOn = onResult(await simulator.run(next.value), next.value) && goesOn;
      }
    } finally {
      await simulator.stop();
    }
  };
  await Promise.all(Array.from({ length: threads }, runThread));
}
