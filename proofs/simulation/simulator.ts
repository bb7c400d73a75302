import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { WorldResult } from './run-world.ts';

export const rolls = ['forward', 'back'] as const;
export type Roll = (typeof rolls)[number];

/** One world. */
export interface WorldTask {
  seed: number;
  /** The name of a planted bug. */
  bug?: string;
  /** Whether the newest release is upgraded to the present code, or the present code is rolled back. */
  roll?: Roll | undefined;
  /** For smaller worlds. */
  maxClicks?: number | undefined;
  /** Returns what happened, event by event. */
  isTraced?: boolean;
}

export interface TracedResult extends WorldResult {
  lines: string[];
}

/** A task as command line options. */
export function describeTask({ seed, maxClicks, roll, bug }: WorldTask): string {
  const clicks = maxClicks ? ` --clicks ${maxClicks}` : '';
  const direction = roll ? ` --roll ${roll}` : '';
  return `--seed ${seed}${clicks}${direction}${bug ? ` --bug "${bug}"` : ''}`;
}

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
  readonly #inTurn = pLimit(1);

  /** The number of its tasks that haven't ended. */
  get load(): number {
    return this.#inTurn.activeCount + this.#inTurn.pendingCount;
  }

  /** @throws Error that names the task, if the simulation itself fails. */
  run(task: WorldTask): Promise<TracedResult> {
    return this.#inTurn(async () => {
      this.#worker.postMessage(task);
      const replies = await once(this.#worker, 'message');
      const { result, error }: Reply = replies[0];
      if (!result) throw new Error(error);
      return result;
    });
  }

  /** Ends the thread after its tasks. It exits by itself, because terminating many can crash V8. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inTurn(() => {
      this.#worker.postMessage('stop');
      return once(this.#worker, 'exit');
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
