import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Exploration } from './exhaustive.ts';
import type { Job, JobResult } from './jobs.ts';
import type { MalformedResult } from './malformed.ts';

/** All small worlds of one delivery. */
interface Explore {
  delivery: number;
  bug?: string;
}

/** So many malformed messages. */
interface Malformed {
  malformed: number;
  seed: number;
  bug?: string;
}

/** What a thread can be asked. */
export type Request = Job | Explore | Malformed;
type ResultOf<R extends Request> = R extends Explore
  ? Exploration
  : R extends Malformed
    ? MalformedResult
    : JobResult;

interface Reply {
  result?: JobResult | Exploration | MalformedResult;
  error?: string;
}

/** A thread that runs one world after another. */
export class Simulator {
  readonly #worker = new Worker(new URL('worker.ts', import.meta.url), {
    execArgv: [],
    env: { ...process.env },
  });
  // A world has the clock and the network of its thread for itself.
  #previous: Promise<unknown> = Promise.resolve();

  /** @throws Error where the simulation itself fails; it names the seed. */
  run<R extends Request>(request: R): Promise<ResultOf<R>> {
    const result = this.#previous.then(() => this.#ask(request));
    this.#previous = result.catch(() => undefined);
    return result;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask<R extends Request>(request: R): Promise<ResultOf<R>> {
    return new Promise((resolve, reject) => {
      const onReply = ({ result, error }: Reply) => {
        this.#worker.off('error', reject);
        if (result) resolve(result as ResultOf<R>);
        else reject(new Error(error));
      };
      this.#worker.once('message', onReply).once('error', reject);
      this.#worker.postMessage(request);
    });
  }
}

/** Runs worlds on all cores, until there are no more or `onResult` says so by false. */
export async function runJobs(
  jobs: Iterator<Job>,
  onResult: (result: JobResult) => boolean,
  threads = availableParallelism(),
): Promise<void> {
  let goesOn = true;
  const runThread = async () => {
    const simulator = new Simulator();
    try {
      for (let next = jobs.next(); goesOn && !next.done; next = jobs.next()) {
        goesOn = onResult(await simulator.run(next.value)) && goesOn;
      }
    } finally {
      await simulator.stop();
    }
  };
  await Promise.all(Array.from({ length: threads }, runThread));
}
