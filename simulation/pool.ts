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

  /** @throws Error where the simulation itself fails; it names the seed. */
  run(job: Job): Promise<JobResult> {
    return new Promise((resolve, reject) => {
      const finish = (act: () => void) => {
        this.#worker.off('message', onMessage).off('error', onError);
        act();
      };
      const onMessage = ({ result, error }: Reply) =>
        finish(() => (result ? resolve(result) : reject(new Error(error))));
      const onError = (error: Error) => finish(() => reject(error));
      this.#worker.on('message', onMessage).on('error', onError);
      this.#worker.postMessage(job);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
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
      goesOn = false;
      await simulator.stop();
    }
  };
  await Promise.all(Array.from({ length: threads }, runThread));
}
