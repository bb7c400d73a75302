import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { buildFunctionCode, type FunctionSource } from './function-code.ts';
import type { Instruction } from './simulator-worker.ts';
import type { ServiceChange, TracedResult, WorldTask } from './tasks.ts';

interface Reply {
  result?: TracedResult;
  error?: string;
}

/** Instances are short-lived, so most garbage is young. A larger space takes longer to map. */
const resourceLimits = { maxYoungGenerationSizeMb: 128 };

const sound: ServiceChange = { name: 'the sound service', standIns: [] };
const sources = new WeakMap<ServiceChange, Promise<FunctionSource>>();

/** A thread that runs worlds sequentially. */
export class Simulator {
  readonly #worker = new Worker(new URL('simulator-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits,
  });
  readonly #exited = new Promise((resolve) => this.#worker.once('exit', resolve));
  #previous: Promise<unknown> = Promise.resolve();
  /** The number of pending tasks. */
  #asked = 0;
  readonly #known = new WeakSet<ServiceChange>();

  /** @throws Error that names the task, if the simulation itself fails. */
  run(task: WorldTask): Promise<TracedResult> {
    this.#asked += 1;
    const result = this.#previous
      .then(() => this.#ask(task))
      .finally(() => {
        this.#asked -= 1;
      });
    this.#previous = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread. An idle one exits by itself, because terminating many can crash V8. */
  async stop(): Promise<void> {
    if (this.#asked > 0) {
      await this.#worker.terminate();
      return;
    }
    this.#worker.postMessage('stop' satisfies Instruction);
    await this.#exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #ask(task: WorldTask): Promise<TracedResult> {
    const { bug = sound } = task;
    const isNew = !this.#known.has(bug);
    const message: Instruction = { task, ...(isNew && { source: await sourceWith(bug) }) };
    this.#known.add(bug);
    return new Promise((resolve, reject) => {
      const onReply = ({ result, error }: Reply) => {
        this.#worker.off('error', reject);
        if (result) resolve(result);
        else reject(new Error(error));
      };
      this.#worker.once('message', onReply).once('error', reject);
      this.#worker.postMessage(message);
    });
  }
}

function sourceWith(bug: ServiceChange): Promise<FunctionSource> {
  let source = sources.get(bug);
  if (!source) {
    source = buildFunctionCode(bug.standIns);
    sources.set(bug, source);
  }
  return source;
}

/** Performs tasks on all cores until none are left or `onResult` returns false. */
export async function runTasks(
  tasks: Iterator<WorldTask>,
  onResult: (result: TracedResult) => boolean,
): Promise<void> {
  let goesOn = true;
  const runThread = async () => {
    await using simulator = new Simulator();
    for (let next = tasks.next(); goesOn && !next.done; next = tasks.next()) {
      goesOn = onResult(await simulator.run(next.value)) && goesOn;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runThread));
}
