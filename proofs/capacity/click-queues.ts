import { createRandom, type Random } from '../../fixtures/random.ts';
import type { Scheduler } from '../simulation/instance.ts';
import { ArrivalQueue } from './arrival-queue.ts';
import { assumptions } from './assumptions.ts';
import {
  type ClickMessage,
  createClickSource,
  environmentsFor,
  type SentClick,
} from './click-source.ts';
import { Mapping, type MappingParts, tickMs } from './mapping.ts';
import type { StageSettings } from './stage.ts';
import type { Traffic } from './traffic.ts';

interface ClickQueuesParts extends Pick<MappingParts, 'recordBytes'> {
  seed: number;
  settings: StageSettings;
  traffic: Traffic;
  time: Scheduler;
  /** Invokes the aggregator with a batch of this queue. */
  invoke: (
    batch: ClickMessage[],
    queue: ArrivalQueue,
    receivedMs: number,
    done: (deleted: number) => void,
  ) => void;
}

/** A ClickQueue and its event source mapping. */
interface Branch {
  queue: ArrivalQueue;
  mapping: Mapping;
}

/** A stage's ClickQueues. resolve-link's own code chooses each click's queue. */
export class ClickQueues {
  readonly #branches: Branch[];
  readonly #makeClick: () => SentClick;
  readonly #arrivals: Random;

  constructor(parts: ClickQueuesParts) {
    const { seed, settings, traffic } = parts;
    const { clickQueues: queues } = settings;
    this.#arrivals = createRandom(seed, 'arrivals');
    const { clicksPerSecond, law } = traffic;
    const environments = environmentsFor(clicksPerSecond, settings.resolverMemoryMb);
    this.#makeClick = createClickSource({
      ...{ seed, queues, law, environments },
      earlierClicks: (assumptions.warmSeconds * clicksPerSecond) / environments,
    });
    this.#branches = Array.from({ length: queues }, (_, index) => createBranch(parts, index));
  }

  /** Adds one tick's clicks at this rate. */
  tick(clicksPerSecond: number): void {
    const arriving = drawPoisson((clicksPerSecond * tickMs) / 1_000, this.#arrivals);
    for (let left = arriving; left > 0; left -= 1) {
      const click = this.#makeClick();
      this.#branches[click.queue]?.queue.arrive(click);
    }
    for (const { mapping } of this.#branches) mapping.tick();
  }

  /** The highest number of messages in flight in a queue. */
  get maxInFlight(): number {
    return Math.max(...this.#branches.map(({ queue }) => queue.inFlight));
  }

  /** A number of all queues together. */
  sum(read: (queue: ArrivalQueue) => number): number {
    return this.#sum(({ queue }) => read(queue));
  }

  /** Requests to receive and to delete. */
  get requests(): number {
    return this.#sum(({ mapping }) => mapping.queueRequests);
  }

  #sum(read: (branch: Branch) => number): number {
    return this.#branches.reduce((sum, branch) => sum + read(branch), 0);
  }
}

function createBranch(
  { seed, settings, time, recordBytes, invoke }: ClickQueuesParts,
  index: number,
): Branch {
  const queue = new ArrivalQueue({
    now: () => time.nowMs,
    visibilityTimeoutMs: settings.visibilityTimeoutMs,
    maxReceiveCount: settings.maxReceiveCount,
  });
  const mapping: Mapping = new Mapping({
    ...{ settings, queue, time, recordBytes, random: createRandom(seed, `pollers ${index}`) },
    invoke: (batch, receivedMs, done) =>
      invoke(batch, queue, receivedMs, (deleted) => {
        mapping.noteDeleted(deleted);
        done();
      }),
  });
  return { queue, mapping };
}

/** Draws from a Poisson distribution, or from a normal approximation for a large mean. */
function drawPoisson(mean: number, random: Random): number {
  if (mean > 50) {
    const normal =
      Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
  }
  let count = 0;
  for (let left = random.exponential(1); left < mean; left += random.exponential(1)) count += 1;
  return count;
}
