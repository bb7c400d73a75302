import { createRandom, hash } from '../../fixtures/random.ts';
import { type Answer, type AwsService, serviceError } from '../simulation/aws-service.ts';
import { writeUnits } from '../simulation/dynamodb/capacity-units.ts';
import { DynamoDb } from '../simulation/dynamodb/dynamodb.ts';
import { type Change, ItemStore } from '../simulation/dynamodb/item-store.ts';
import { textOf } from '../simulation/dynamodb/item-values.ts';
import type { Reason, TransactWriteItem } from '../simulation/dynamodb/transact-write.ts';
import type { Faults } from '../simulation/faults.ts';
import type { Scheduler } from '../simulation/instance.ts';
import type { Statistics } from '../simulation/statistics.ts';
import { drawDurationMs } from '../simulation/transaction-duration.ts';
import { limits } from './limits.ts';

interface TableParts {
  seed: number;
  time: Scheduler;
  faults: Faults;
  statistics: Statistics;
  /** The table's previous peak. An on-demand table takes twice that at once. */
  previousPeakUnits: number;
  isDown: () => boolean;
}

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
  readonly #parts: TableParts;
  readonly #database: DynamoDb;
  readonly #partitions: Partition[];
  /** The changes of the current commit. */
  #committed: Change[] = [];
  /** The units of all answered requests. */
  #chargedUnits = 0;
  throttled = 0;
  requests = 0;

  constructor(parts: TableParts) {
    const { seed, time, faults, statistics, previousPeakUnits } = parts;
    this.#parts = parts;
    this.items = new ItemStore(
      createRandom(seed, 'table'),
      () => time.nowMs,
      (changes) => {
        this.#committed = changes;
      },
    );
    const random = createRandom(seed, 'duration');
    this.#database = new DynamoDb({
      ...{ items: this.items, time, faults, statistics, throttleRate: 0, bareRefusalShare: 0 },
      random: createRandom(seed, 'dynamodb'),
      durationMs: (count) => drawDurationMs(count, random),
    });
    const units = Math.max(limits.newTableWriteUnits, limits.growthOverPeak * previousPeakUnits);
    const count = Math.ceil(units / limits.partitionWriteUnits);
    this.#partitions = Array.from({ length: count }, () => this.#newPartition());
  }

  get partitions(): number {
    return this.#partitions.length;
  }

  handle(operation: string, input: unknown, reply: (answer: Answer) => void): void {
    if (this.#parts.isDown()) {
      reply(serviceError(500, 'InternalServerError', 'DynamoDB is down'));
      return;
    }
    if (operation !== 'TransactWriteItems') {
      this.#database.handle(operation, input, reply);
      return;
    }
    this.requests += 1;
    const keys = keysOf(input as { TransactItems: TransactWriteItem[] });
    const reasons = this.#throttle(keys);
    if (reasons) {
      reply(cancelled(reasons));
      return;
    }
    this.#database.handle(operation, input, (answer) => {
      this.#charge(keys);
      reply(answer);
    });
  }

  #newPartition(): Partition {
    return { tokens: limits.partitionWriteUnits, filledMs: this.#parts.time.nowMs };
  }

  #partitionOf(partitionKey: string): Partition {
    const index = (hash(partitionKey) >>> 0) % this.#partitions.length;
    const partition = this.#partitions[index] ?? this.#newPartition();
    const { nowMs } = this.#parts.time;
    const perSecond = limits.partitionWriteUnits;
    const gained = ((nowMs - partition.filledMs) * perSecond) / 1_000;
    partition.tokens = Math.min(perSecond, partition.tokens + gained);
    partition.filledMs = nowMs;
    return partition;
  }

  // The reasons by position, if any is throttled.
  #throttle(keys: string[]): Reason[] | undefined {
    const reasons: Reason[] = keys.map((key) => ({
      Code: this.#partitionOf(key).tokens > 0 ? 'None' : 'ThrottlingError',
    }));
    if (reasons.every(({ Code }) => Code === 'None')) return undefined;
    this.throttled += 1;
    return reasons;
  }

  // The database has just answered this request, so the difference of the sums is this request's.
  #charge(keys: string[]): void {
    const { totals } = this.#parts.statistics;
    const all =
      (totals['write units'] ?? 0) + (totals['write units of cancelled transactions'] ?? 0);
    const units = all - this.#chargedUnits;
    this.#chargedUnits = all;
    const changed = this.#committed.map(({ before, after }) => ({
      key: textOf(after, 'PK'),
      weight: writeUnits(before, after),
    }));
    this.#committed = [];
    // If nothing was written, the units are divided equally among the items.
    const parts = changed.length > 0 ? changed : keys.map((key) => ({ key, weight: 1 }));
    const sum = parts.reduce((total, { weight }) => total + weight, 0);
    for (const { key, weight } of parts) {
      this.#partitionOf(key).tokens -= (units * weight) / sum;
    }
  }
}

function cancelled(reasons: Reason[]): Answer {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return serviceError(400, 'TransactionCanceledException', `Transaction cancelled [${codes}]`, {
    CancellationReasons: reasons,
  });
}

/** The partition key of each item. */
function keysOf({ TransactItems }: { TransactItems: TransactWriteItem[] }): string[] {
  return TransactItems.map(({ Put, Update }) => textOf(Put?.Item ?? Update?.Key ?? {}, 'PK'));
}
