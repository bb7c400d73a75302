import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job, JobResult } from './jobs.ts';

interface Reply {
  result?: JobResult;
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
  run(job: Job): Promise<JobResult> {
    const result = this.#previous.then(() => this.#ask(job));
    this.#previous = result.catch(() => undefined);
    return result;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(job: Job): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      const onReply = ({ result, error }: Reply) => {
        this.#worker.off('error', reject);
        if (result) resolve(result);
        else reject(new Error(error));
      };
      this.#worker.once('message', onReply).once('error', reject);
      this.#worker.postMessage(job);
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
