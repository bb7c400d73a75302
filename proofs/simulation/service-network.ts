import { createRandom } from '../../fixtures/random.ts';
import { DynamoDb } from './dynamodb/dynamodb.ts';
import type { ItemStore } from './dynamodb/item-store.ts';
import type { EventBus } from './event-bus.ts';
import type { Faults } from './faults.ts';
import type { Scheduler } from './instance.ts';
import { Network, type NetworkParts } from './network.ts';
import type { Queue } from './queue.ts';
import type { Statistics } from './statistics.ts';
import type { Trace } from './trace.ts';
import type { WorldPlan } from './world-plan.ts';

interface ServiceParts {
  plan: WorldPlan;
  time: Scheduler;
  faults: Faults;
  trace: Trace;
  statistics: Statistics;
  items: ItemStore;
  bus: EventBus;
  queue: Queue;
}

/** The network between the functions that count and their table, bus and queue. */
export function createServiceNetwork(
  { plan, time, faults, trace, statistics, items, bus, queue }: ServiceParts,
  onSend: NetworkParts['onSend'],
): Network {
  const { seed, throttleRate, bareRefusalShare } = plan;
  const table = new DynamoDb({
    ...{ items, time, faults, statistics, throttleRate, bareRefusalShare },
    random: createRandom(seed, 'dynamodb'),
  });
  return new Network({
    ...{ time, faults, trace, random: createRandom(seed, 'network') },
    services: {
      DynamoDB_20120810: { name: 'table', service: table },
      AWSEvents: { name: 'bus', service: bus },
      AmazonSQS: { name: 'queue', service: queue },
    },
    onSend,
  });
}
