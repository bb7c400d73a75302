import type { Settings } from '../simulation/stage-settings.ts';
import { limits } from './limits.ts';

/** The facts that determine the first bottleneck. */
export interface Limited {
  /** Whether the backlog does not grow. */
  holds: boolean;
  /** Shares of the transactions, and of a queue's limit of messages in flight. */
  conflictShare: number;
  throttledShare: number;
  inFlightShare: number;
  /** The mean number of concurrent batches. */
  concurrency: number;
  writeUnitsPerSecond: number;
}

/** Above this, conflicts are the bottleneck. */
const manyConflicts = 0.25;

/**
 * Names the bottleneck or, without one, the part with the highest utilisation. Of the parts in front of the
 * queue, the API's limit comes first. They aren't run; above 100%, it rejects requests.
 */
export function nameLimit(limited: Limited, clicksPerSecond: number, settings: Settings): string {
  const isThrottled = limited.throttledShare > 0.05;
  if (isThrottled && settings.billing === 'provisioned') return 'the provisioned write units';
  if (!limited.holds) {
    if (isThrottled) return 'a partition of the table';
    if (limited.conflictShare > manyConflicts) return 'conflicts';
    if (limited.inFlightShare > 0.95) return 'messages in flight';
    return 'the concurrency of the aggregator';
  }
  const utilisation = {
    "the API's limit for visitors": clicksPerSecond / settings.visitorsPerSecond,
    'messages in flight': limited.inFlightShare,
    "the table's quota of write units": limited.writeUnitsPerSecond / limits.tableWriteUnits,
    'the concurrency of the aggregator':
      limited.concurrency / (settings.maximumConcurrency * settings.clickQueues),
  };
  const [[part, share] = ['', 0]] = Object.entries(utilisation).toSorted(([, a], [, b]) => b - a);
  return `${part} (${Math.round(100 * share)}%)`;
}
