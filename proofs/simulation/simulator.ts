import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { TracedResult, WorldTask } from './tasks.ts';

interface Reply {
  result?: TracedResult;
  error?: string;
}

/** Instances are short-lived, so most garbage is young. A larger space takes longer to map. */
const resourceLimits = { maxYoungGenerationSizeMb: 128 };

/** A thread that runs worlds sequentially. */
export class Simulator {
  readonly #worker = new Worker(new URL('simulator-worker.ts', import.meta.url), {
    execArgv: [],
    resourceLimits,
  });
  readonly #exited = new Promise((resolve) => this.#worker.once('exit', resolve));
  #previous: Promise<unknown> = Promise.resolve();

  /** @throws Error that names the task, if the simulation itself fails. */
  run(task: WorldTask): Promise<TracedResult> {
    const result = this.#previous.then(() => this.#ask(task));
    this.#previous = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread after its tasks. It exits by itself, because terminating many can crash V8. */
  async stop(): Promise<void> {
    await this.#previous;
    this.#worker.postMessage('stop');
    await this.#exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #ask(task: WorldTask): Promise<TracedResult> {
    return new Promise((resolve, reject) => {
      const onReply = ({ result, error }: Reply) => {
        this.#worker.off('error', reject);
        if (result) resolve(result);
        else reject(new Error(error));
      };
      this.#worker.once('message', onReply).once('error', reject);
      this.#worker.postMessage(task);
    });
  }
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
