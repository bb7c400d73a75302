import type { Settings } from '../simulation/stage-settings.ts';
import { environmentsFor } from './click-source.ts';
import { limits } from './limits.ts';

/** The facts that determine the first bottleneck. */
export interface Limited {
  /** Whether the backlog does not grow. */
  holds: boolean;
  /** The shares of the transactions. */
  conflictShare: number;
  throttledShare: number;
  /** The share of a queue's limit of messages in flight. */
  inFlightShare: number;
  /** The mean number of concurrent batches. */
  concurrency: number;
  writeUnitsPerSecond: number;
}

/** Above this, conflicts are the bottleneck. */
const manyConflicts = 0.25;

/**
 * Names the bottleneck or, without one, the part with the highest utilisation. The parts in front of the
 * queue aren't run, only compared with their limits. Above 100%, a part rejects or delays.
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
  const environments = environmentsFor(clicksPerSecond, settings.resolverMemoryMb);
  const viaBus = settings.clicksVia === 'bus' ? clicksPerSecond : 0;
  const utilisation = {
    "the API's limit for visitors": clicksPerSecond / settings.visitorsPerSecond,
    'API Gateway': clicksPerSecond / limits.apiRequests,
    'resolve-link': environments / (settings.resolverConcurrency ?? limits.accountConcurrency),
    PutEvents: viaBus / limits.busEntries,
    'EventBridge to the queue': viaBus / limits.busDeliveries,
    'messages in flight': limited.inFlightShare,
    "the table's quota of write units": limited.writeUnitsPerSecond / limits.tableWriteUnits,
    'the concurrency of the aggregator':
      limited.concurrency / (settings.maximumConcurrency * settings.clickQueues),
  };
  const [[part, share] = ['', 0]] = Object.entries(utilisation).toSorted(([, a], [, b]) => b - a);
  return `${part} (${Math.round(100 * share)}%)`;
}
