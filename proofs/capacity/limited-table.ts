import type { Item } from '../../fixtures/dynamodb-items.ts';
import { type Answer, type AwsService, serviceError } from '../simulation/aws-service.ts';
import { cancelled, DynamoDb } from '../simulation/dynamodb/dynamodb.ts';
import { createItemStore, type ItemStore, textOf } from '../simulation/dynamodb/item-store.ts';
import type { BatchGetItemInput } from '../simulation/dynamodb/reads.ts';
import type { Reason, TransactWriteItem } from '../simulation/dynamodb/transact-write.ts';
import type { Scheduler } from '../simulation/instance.ts';
import type { Settings } from '../simulation/stage-settings.ts';
import { Statistics } from '../simulation/statistics.ts';
import { createRandom, hash, type Random } from '../tools/random.ts';
import { assumptions } from './assumptions.ts';
import { limits } from './limits.ts';
import type { Traffic } from './traffic.ts';

/** A limit of units a second. A transaction that finds any unit left may exceed it, and the next ones wait. */
class Capacity {
  #tokens: number;
  #filledMs: number;
  readonly #time: Scheduler;
  unitsPerSecond: number;

  constructor(unitsPerSecond: number, time: Scheduler) {
    this.#time = time;
    this.unitsPerSecond = unitsPerSecond;
    this.#tokens = unitsPerSecond;
    this.#filledMs = time.nowMs;
  }

  hasUnits(): boolean {
    this.take(0);
    return this.#tokens > 0;
  }

  take(units: number): void {
    const gained = ((this.#time.nowMs - this.#filledMs) * this.unitsPerSecond) / 1_000;
    this.#tokens = Math.min(this.unitsPerSecond, this.#tokens + gained) - units;
    this.#filledMs = this.#time.nowMs;
  }
}

/**
 * The simulation's DynamoDB, where a transaction conflicts with others that touch its items
 * meanwhile, behind limits: each partition takes 1,000 write units a second, and a provisioned table
 * what autoscaling provisions. Burst capacity and splits of partitions are left out, because a stage
 * must hold without them. Reads have a capacity of their own. A plain write takes no longer than its transit.
 */
export class LimitedTable implements AwsService {
  readonly items: ItemStore;
  readonly statistics = new Statistics();
  readonly #time: Scheduler;
  readonly #database: DynamoDb;
  readonly #partitions: Capacity[];
  #provisioned: Capacity | undefined;
  #units = 0;
  #busyMinutes = 0;
  throttled = 0;
  /** Units of the aggregator's reads, each of an item of at most 4 KB. */
  readUnits = 0;
  requests = 0;
  /** How often a link was counted, alone or for a whole batch. */
  links = 0;

  /**
   * An on-demand table takes twice its previous peak at once: that of a stage which had this traffic
   * before. A provisioned one begins with its minimum of units a second or, under usual traffic, with the units
   * that autoscaling provides for it.
   */
  constructor(seed: number, time: Scheduler, settings: Settings, traffic: Traffic) {
    this.#time = time;
    this.items = createItemStore(
      createRandom(seed, 'table'),
      () => time.nowMs,
      (changes) => {
        this.links += changes.filter(({ key }) => key.endsWith('"META"]')).length;
      },
    );
    const random = createRandom(seed, 'duration');
    this.#database = new DynamoDb({
      items: this.items,
      time,
      statistics: this.statistics,
      faults: { happens: () => false },
      throttleRate: 0,
      bareRejectionShare: 0,
      random: createRandom(seed, 'dynamodb'),
      durationMs: (count) => drawDurationMs(count, random),
      onCharge: (units) => this.#charge(units),
    });
    // A click takes about four units, and a window's clicks are written within a second.
    const peakUnits = 4 * traffic.clicksPerSecond * Math.max(1, settings.batchWindowMs / 1_000);
    const units = Math.max(limits.newTableWriteUnits, limits.growthOverPeak * peakUnits);
    const count = Math.ceil(units / limits.partitionWriteUnits);
    const newPartition = () => new Capacity(limits.partitionWriteUnits, time);
    this.#partitions = Array.from({ length: count }, newPartition);
    if (settings.billing !== 'provisioned') return;
    const { writes } = settings.provisionedUnits;
    if (traffic.isUsual) this.#provisionUsual(writes, traffic);
    else this.#provision(writes);
  }

  handle(operation: string, input: unknown, reply: (answer: Answer) => void): void {
    if (operation === 'TransactWriteItems') {
      this.requests += 1;
      const reasons = this.#throttle(input as { TransactItems: TransactWriteItem[] });
      if (reasons.some(({ Code }) => Code !== 'None')) {
        this.throttled += 1;
        reply(cancelled(reasons));
        return;
      }
    }
    if (operation === 'UpdateItem' && !this.#hasUnits((input as { Key: Item }).Key)) {
      reply(serviceError(400, 'ThrottlingException', 'no units are left'));
      return;
    }
    if (operation === 'BatchGetItem') this.readUnits += countReadUnits(input as BatchGetItemInput);
    this.#database.handle(operation, input, reply);
  }

  #partitionOf(partitionKey: string): Capacity | undefined {
    return this.#partitions[(hash(partitionKey) >>> 0) % this.#partitions.length];
  }

  #throttle({ TransactItems }: { TransactItems: TransactWriteItem[] }): Reason[] {
    return TransactItems.map(({ Put, Update }) => {
      return { Code: this.#hasUnits(Put?.Item ?? Update?.Key) ? 'None' : 'ThrottlingError' };
    });
  }

  /** Whether the table and the partition of an item have units. */
  #hasUnits(item: Item = {}): boolean {
    const partition = this.#partitionOf(textOf(item, 'PK'));
    return (this.#provisioned?.hasUnits() ?? true) && partition?.hasUnits() === true;
  }

  #charge(unitsByKey: ReadonlyMap<string, number>): void {
    for (const [key, units] of unitsByKey) {
      this.#partitionOf(JSON.parse(key)[0])?.take(units);
      this.#provisioned?.take(units);
      this.#units += units;
    }
  }

  /** Provides what the second half of the warm-up, whose first half fills the batches, has used without a limit. */
  #provisionUsual(least: number, { measureFromSeconds }: Traffic): void {
    const seconds = measureFromSeconds / 2;
    this.#time.after(seconds * 1_000, () => {
      const before = this.#units;
      this.#time.after(seconds * 1_000, () => {
        const used = (this.#units - before) / seconds;
        this.#provision(Math.max(least, used / assumptions.provisionedUse.writes));
      });
    });
  }

  #provision(unitsPerSecond: number): void {
    this.#provisioned = new Capacity(unitsPerSecond, this.#time);
    this.#autoscale(this.#units);
  }

  /** Scales out after two busy minutes. Scaling in takes longer than a run. */
  #autoscale(unitsBefore: number): void {
    this.#time.after(60_000, () => {
      this.#scaleOut(this.#units - unitsBefore);
      this.#autoscale(this.#units);
    });
  }

  #scaleOut(unitsOfMinute: number): void {
    const { unitsPerSecond = 0 } = this.#provisioned ?? {};
    const target = unitsOfMinute / 60 / limits.scalingTarget;
    this.#busyMinutes = target > unitsPerSecond ? this.#busyMinutes + 1 : 0;
    if (this.#busyMinutes >= limits.busyMinutes) {
      this.#busyMinutes = 0;
      this.#time.after(limits.scalingMinutes * 60_000, () => {
        if (this.#provisioned) this.#provisioned.unitsPerSecond = target;
      });
    }
  }
}

/** An eventually consistent read costs half a unit. */
function countReadUnits({ RequestItems }: BatchGetItemInput): number {
  const ofTable = Object.values(RequestItems).map(
    ({ Keys, ConsistentRead }) => Keys.length * (ConsistentRead ? 1 : 0.5),
  );
  return ofTable.reduce((sum, units) => sum + units, 0);
}

/**
 * The duration of a transaction: a line through the medians that Alex DeBrie measured from Lambda,
 * 25.3 ms for 5 items and 32.1 ms for 25, times a draw from the latter's spread. 11 ms of it are the
 * transit, which the simulation's network adds.
 *
 * @see https://github.com/alexdebrie/dynamodb-performance-testing#results
 */
function drawDurationMs(items: number, random: Random): number {
  const roundTripMs = (23.6 + 0.34 * items) * drawFrom(transactionSpread, random);
  return Math.max(3, roundTripMs - 11);
}

type Distribution = readonly (readonly [quantile: number, value: number])[];

/** The minimum, p50, p90, p95, p99 and maximum of 25 items, divided by the median. */
const transactionSpread: Distribution = [
  [0, 0.73],
  [0.5, 1],
  [0.9, 1.26],
  [0.95, 1.47],
  [0.99, 3.04],
  [1, 8.04],
];

function drawFrom(distribution: Distribution, random: Random): number {
  const quantile = random.fraction();
  const above = distribution.findIndex(([other]) => other > quantile);
  const [from, low] = distribution[above - 1] ?? [0, 1];
  const [to, high] = distribution[above] ?? [1, 1];
  return low + ((high - low) * (quantile - from)) / (to - from);
}
