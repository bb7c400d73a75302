import { createRandom, hash } from '../../fixtures/random.ts';
import type { Answer, AwsService } from '../simulation/aws-service.ts';
import { cancelled, DynamoDb } from '../simulation/dynamodb/dynamodb.ts';
import { ItemStore, textOf } from '../simulation/dynamodb/item-store.ts';
import type { Reason, TransactWriteItem } from '../simulation/dynamodb/transact-write.ts';
import type { Scheduler } from '../simulation/instance.ts';
import { Statistics } from '../simulation/statistics.ts';
import { limits } from './limits.ts';
import { drawDurationMs } from './transaction-duration.ts';

interface Partition {
  tokens: number;
  filledMs: number;
}

/**
 * The simulation's DynamoDB, where a transaction conflicts with others that touch its items
 * meanwhile, behind the limits of an on-demand table: its partitions take 1,000 write units a second
 * each. Burst capacity and splits of partitions are left out, because a stage must hold without them.
 */
export class LimitedTable implements AwsService {
  readonly items: ItemStore;
  readonly statistics = new Statistics();
  readonly #time: Scheduler;
  readonly #database: DynamoDb;
  readonly #partitions: Partition[];
  throttled = 0;
  requests = 0;

  /** An on-demand table takes twice its previous peak at once. */
  constructor(seed: number, time: Scheduler, previousPeakUnits: number) {
    this.#time = time;
    this.items = new ItemStore(
      createRandom(seed, 'table'),
      () => time.nowMs,
      () => {},
    );
    const random = createRandom(seed, 'duration');
    this.#database = new DynamoDb({
      ...{ items: this.items, time, statistics: this.statistics },
      ...{ faults: { happens: () => false }, throttleRate: 0, bareRefusalShare: 0 },
      random: createRandom(seed, 'dynamodb'),
      durationMs: (count) => drawDurationMs(count, random),
      onCharge: (units) => this.#charge(units),
    });
    const units = Math.max(limits.newTableWriteUnits, limits.growthOverPeak * previousPeakUnits);
    const count = Math.ceil(units / limits.partitionWriteUnits);
    this.#partitions = Array.from({ length: count }, () => this.#newPartition());
  }

  get partitions(): number {
    return this.#partitions.length;
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
    this.#database.handle(operation, input, reply);
  }

  #newPartition(): Partition {
    return { tokens: limits.partitionWriteUnits, filledMs: this.#time.nowMs };
  }

  #partitionOf(partitionKey: string): Partition {
    const index = (hash(partitionKey) >>> 0) % this.#partitions.length;
    const partition = this.#partitions[index] ?? this.#newPartition();
    const { nowMs } = this.#time;
    const perSecond = limits.partitionWriteUnits;
    const gained = ((nowMs - partition.filledMs) * perSecond) / 1_000;
    partition.tokens = Math.min(perSecond, partition.tokens + gained);
    partition.filledMs = nowMs;
    return partition;
  }

  #throttle({ TransactItems }: { TransactItems: TransactWriteItem[] }): Reason[] {
    return TransactItems.map(({ Put, Update }) => {
      const { tokens } = this.#partitionOf(textOf(Put?.Item ?? Update?.Key ?? {}, 'PK'));
      return { Code: tokens > 0 ? 'None' : 'ThrottlingError' };
    });
  }

  #charge(unitsByKey: ReadonlyMap<string, number>): void {
    for (const [key, units] of unitsByKey) {
      this.#partitionOf(JSON.parse(key)[0]).tokens -= units;
    }
  }
}
