import type { Item } from '../../../fixtures/dynamodb-items.ts';
import { findFailedIds } from '../../../local/engines/batch-response.ts';
import { hash, type Random } from '../../tools/random.ts';
import { type Change, textOf } from '../dynamodb/item-store.ts';
import type { InvocationEnd, LambdaFunction } from '../lambda.ts';
import { replicatorTimeoutMs } from '../stage-settings.ts';
import type { Surroundings } from '../surroundings.ts';
import type { StandbyPlan } from './standby-plan.ts';

const shardCount = 3;
const batchSize = 100;
/** Older records go to ReplicationDLQ, as infra/standby/functions.yml says. */
const maxAgeMs = 82_800_000;
const longestWaitMs = 1_800_000;
const prefix = 'CHANGE#';
const ignore = () => {};

interface StreamRecord {
  id: string;
  code: string;
  eventName: 'INSERT' | 'MODIFY';
  image: Item;
  committedMs: number;
}

interface Shard {
  records: StreamRecord[];
  isBusy: boolean;
  /** Failed attempts in a row. */
  failures: number;
  /** Halved after an error. */
  limit: number;
}

interface StreamWorld extends Surroundings {
  replicator: Pick<LambdaFunction, 'invoke'>;
  standbyPlan: StandbyPlan;
}

/**
 * The stream of the home table and its event source mapping, with the filter of replicate-links. A shard's
 * records are processed in order, at least once, and repeated from the first that failed.
 */
export class ChangeStream {
  readonly #world: StreamWorld;
  readonly #random: Random;
  readonly #shards: Shard[];
  #sequence = 0;
  /** The codes of records that are in ReplicationDLQ. */
  readonly dropped = new Set<string>();

  constructor(world: StreamWorld) {
    this.#world = world;
    this.#random = world.random('stream');
    this.#shards = Array.from({ length: shardCount }, () => ({
      records: [],
      isBusy: false,
      failures: 0,
      limit: batchSize,
    }));
  }

  /** Whether all changes are processed. */
  get isIdle(): boolean {
    return this.#shards.every(({ records, isBusy }) => records.length === 0 && !isBusy);
  }

  /** Items of the home table were stored at one instant. */
  onCommit(changes: readonly Change[]): void {
    for (const { before, after } of changes) {
      const partition = textOf(after ?? {}, 'PK');
      if (!after || !partition.startsWith(prefix)) continue;
      const shard = this.#shards[Math.abs(hash(partition)) % shardCount];
      shard?.records.push({
        id: `${++this.#sequence}`,
        code: partition.slice(prefix.length),
        eventName: before ? 'MODIFY' : 'INSERT',
        image: after,
        committedMs: this.#world.time.nowMs,
      });
      if (shard) this.#read(shard);
    }
  }

  // Soon, or late, or after a failed attempt.
  #read(shard: Shard): void {
    if (shard.isBusy || shard.records.length === 0) return;
    shard.isBusy = true;
    const { time, faults, standbyPlan } = this.#world;
    const isLate = faults.happens('late stream', standbyPlan.lateShare);
    const meanMs = isLate ? 60_000 : 100;
    const waitMs = shard.failures > 0 ? 500 * 2 ** shard.failures : meanMs;
    const afterMs = Math.min(longestWaitMs, this.#random.exponential(waitMs));
    time.after(afterMs, () => this.#startBatch(shard));
  }

  #startBatch(shard: Shard): void {
    const oldestMs = this.#world.time.nowMs - maxAgeMs;
    const expired = shard.records.filter(({ committedMs }) => committedMs < oldestMs);
    for (const { code } of expired) this.dropped.add(code);
    shard.records.splice(0, expired.length);
    const most = Math.min(shard.limit, shard.records.length);
    const batch = shard.records.slice(0, this.#random.integer(1, Math.max(1, most)));
    this.#hand(batch, (outcome) => {
      shard.isBusy = false;
      this.#settle(shard, batch, outcome);
      this.#read(shard);
    });
  }

  // Invokes the function with a fault: never, late, twice, or with a lost answer.
  #hand(batch: StreamRecord[], onOutcome: (outcome: InvocationEnd) => void): void {
    if (batch.length === 0) {
      onOutcome({ answer: { batchItemFailures: [] } });
      return;
    }
    const { time, faults } = this.#world;
    const invoke = () => this.#invoke(batch, onOutcome);
    const fail = () => time.after(1_000, () => onOutcome({ error: 'not invoked' }));
    faults.act('stream → replicator: Invoke', invoke, {
      dropped: fail,
      rejected: fail,
      'response lost': () => {
        this.#invoke(batch, ignore);
        time.after(replicatorTimeoutMs, () => onOutcome({ error: 'no answer' }));
      },
      late: () => time.after(this.#random.exponential(60_000), invoke),
      twice: () => {
        time.after(this.#random.exponential(60_000), () => this.#invoke(batch, ignore));
        invoke();
      },
    });
  }

  #invoke(batch: StreamRecord[], onOutcome: (outcome: InvocationEnd) => void): void {
    const { statistics, replicator } = this.#world;
    statistics.add('replicated changes', batch.length);
    const name = `changes-${batch[0]?.id}-to-${batch.at(-1)?.id}`;
    replicator.invoke(name, { Records: batch.map(toRecord) }, onOutcome);
  }

  #settle(shard: Shard, batch: StreamRecord[], outcome: InvocationEnd): void {
    const ids = batch.map(({ id }) => id);
    if ('error' in outcome) {
      shard.failures += 1;
      shard.limit = Math.max(1, Math.floor(batch.length / 2));
      return;
    }
    const failed = findFailedIds(JSON.stringify(outcome.answer ?? null), ids);
    const firstFailed = ids.findIndex((id) => failed.has(id));
    shard.records.splice(0, firstFailed === -1 ? ids.length : firstFailed);
    shard.failures = firstFailed === -1 ? 0 : shard.failures + 1;
    shard.limit = batchSize;
  }
}

function toRecord({ id, eventName, image }: StreamRecord) {
  const { PK, SK } = image;
  return {
    eventID: id,
    eventName,
    dynamodb: { Keys: { PK, SK }, NewImage: image, SequenceNumber: id },
  };
}
