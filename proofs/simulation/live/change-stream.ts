import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import type { Item } from '../../../fixtures/dynamodb-items.ts';
import { hash, type Random } from '../../../fixtures/random.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { textOf } from '../dynamodb/item-values.ts';
import { invokeAcross } from '../invoke.ts';
import type { InvocationEnd, LambdaFunction } from '../lambda.ts';
import type { StreamSettings } from '../stage-settings.ts';
import type { Surroundings } from '../surroundings.ts';
import type { PushAuditor } from './push-auditor.ts';

/** Lambda polls a shard four times a second. */
const pollMs = 250;

/** A sum that isn't a number. */
const spoilt = { S: 'many' };

interface StreamRecord {
  record: DynamoDBRecord;
  sequence: string;
  arrivedMs: number;
  /** Whether it is unreadable. */
  isPoison: boolean;
}

/** Records that are delivered together. */
interface Piece {
  records: StreamRecord[];
  attempts: number;
}

interface Shard {
  fresh: StreamRecord[];
  /** Pieces that must be processed in order before new records. */
  pieces: Piece[];
  isBusy: boolean;
  isPolling: boolean;
}

interface ChangeStreamParts {
  settings: StreamSettings;
  pusher: Pick<LambdaFunction, 'invoke'>;
  auditor: Pick<PushAuditor, 'onInvoked' | 'onAnswered'>;
}

/**
 * The table's stream and Lambda's mapping of it to push-counts. An item's changes arrive in order, in
 * its shard. A shard has one invocation at a time. Failed records are retried before any others: split
 * in half, up to the maximum of retries and age.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export class ChangeStream {
  readonly #surroundings: Surroundings;
  readonly #parts: ChangeStreamParts;
  readonly #random: Random;
  readonly #shards: Shard[];
  #sequence = 0;
  #invocations = 0;
  /** Running invocations that started before the faults ended. */
  #tainted = 0;

  constructor(surroundings: Surroundings, parts: ChangeStreamParts) {
    this.#surroundings = surroundings;
    this.#parts = parts;
    this.#random = surroundings.random('stream');
    const create = () => ({ fresh: [], pieces: [], isBusy: false, isPolling: false });
    this.#shards = Array.from({ length: surroundings.plan.push.shards }, create);
  }

  /** Whether nothing in progress may have been affected by a fault. */
  get isSound(): boolean {
    return this.#surroundings.faults.areOver && this.#tainted === 0;
  }

  /** Whether all changes are processed or given up. */
  get isIdle(): boolean {
    return this.#shards.every(
      ({ fresh, pieces, isBusy }) => fresh.length === 0 && pieces.length === 0 && !isBusy,
    );
  }

  onCommit(changes: readonly Change[]): void {
    for (const { key, before, after } of changes) {
      const [PK, SK] = JSON.parse(key) as [string, string];
      const shard = this.#shards[Math.abs(hash(key)) % this.#shards.length];
      const name = before ? 'MODIFY' : 'INSERT';
      if (shard) this.#add(shard, name, { PK: { S: PK }, SK: { S: SK } }, after);
    }
  }

  /** Adds an unreadable change to each shard, which the service never writes. */
  poison(key: Item): void {
    for (const shard of this.#shards) this.#add(shard, 'MODIFY', key, { ...key, clicks: spoilt });
  }

  #add(shard: Shard, eventName: 'INSERT' | 'MODIFY', Keys: Item, NewImage: Item): void {
    const { time } = this.#surroundings;
    const { settings } = this.#parts;
    const partition = textOf(Keys, 'PK');
    const passes =
      settings.eventNames.includes(eventName) &&
      settings.keyPrefixes.some((prefix) => partition.startsWith(prefix));
    if (!passes) return;
    const sequence = String(100_000 + this.#sequence++);
    const dynamodb = { Keys, NewImage, SequenceNumber: sequence, StreamViewType: 'NEW_IMAGE' };
    const record = { eventID: sequence, eventName, eventSource: 'aws:dynamodb', dynamodb };
    shard.fresh.push({
      record: record as DynamoDBRecord,
      ...{ sequence, arrivedMs: time.nowMs },
      isPoison: NewImage.clicks !== undefined && !('N' in NewImage.clicks),
    });
    this.#poll(shard);
  }

  #poll(shard: Shard): void {
    if (shard.isBusy || shard.isPolling) return;
    shard.isPolling = true;
    const { time, plan } = this.#surroundings;
    const waitMs = shard.pieces.length > 0 ? 0 : plan.settings.pushWindowMs;
    time.after(this.#random.integer(10, pollMs) + waitMs, () => {
      shard.isPolling = false;
      this.#handNext(shard);
    });
  }

  #handNext(shard: Shard): void {
    const { time, faults } = this.#surroundings;
    const { settings } = this.#parts;
    const oldestMs = time.nowMs - settings.maxAgeMs;
    const piece = shard.pieces.shift() ?? {
      records: shard.fresh.splice(0, settings.batchSize),
      attempts: 0,
    };
    const records = piece.records.filter(({ arrivedMs }) => arrivedMs >= oldestMs);
    this.#surroundings.statistics.add('changes given up', piece.records.length - records.length);
    if (records.length === 0) {
      if (shard.pieces.length > 0 || shard.fresh.length > 0) this.#poll(shard);
      return;
    }
    const isTainted = !faults.areOver;
    shard.isBusy = true;
    this.#tainted += Number(isTainted);
    this.#hand({ ...piece, records }, (outcome) => {
      shard.isBusy = false;
      this.#tainted -= Number(isTainted);
      this.#settle(shard, { ...piece, records }, outcome);
      if (shard.pieces.length > 0 || shard.fresh.length > 0) this.#poll(shard);
    });
  }

  #hand(piece: Piece, finish: (outcome: InvocationEnd) => void): void {
    const { time, plan } = this.#surroundings;
    const { functionTimeoutMs } = this.#parts.settings;
    if (plan.push.state === 'hangs' || plan.push.state === 'refuses') {
      const afterMs =
        plan.push.state === 'hangs' ? functionTimeoutMs : this.#random.integer(10, 1_000);
      time.after(afterMs, () => finish({ error: `push-counts ${plan.push.state}` }));
      return;
    }
    invokeAcross(this.#surroundings, {
      ...{ boundary: 'stream → pusher: Invoke', random: this.#random, isSerial: true },
      ...{ timeoutMs: functionTimeoutMs, lateMs: 5_000, finish },
      invoke: (onEnd) => this.#invoke(piece, onEnd),
    });
  }

  #invoke({ records }: Piece, onOutcome: (outcome: InvocationEnd) => void): void {
    const { statistics } = this.#surroundings;
    const { pusher, auditor } = this.#parts;
    statistics.add('pushes');
    statistics.add('changes handed over', records.length);
    const invocation = `push-${this.#invocations++}`;
    auditor.onInvoked(invocation);
    const event = { Records: records.map(({ record }) => record) };
    pusher.invoke(invocation, event, (outcome) => {
      if ('answer' in outcome) {
        const poison = records.filter(({ isPoison }) => isPoison).map(({ sequence }) => sequence);
        auditor.onAnswered(invocation, poison, readReported(outcome.answer));
      }
      onOutcome(outcome);
    });
  }

  // A batch is processed up to the first record that was reported.
  #settle(shard: Shard, { records, attempts }: Piece, outcome: InvocationEnd): void {
    const { plan, faults, statistics } = this.#surroundings;
    const { settings } = this.#parts;
    const first = findFirstFailed(records, outcome, settings.reportsBatchItemFailures);
    if (first === undefined) {
      const comesAgain = !faults.areOver && this.#random.chance(plan.push.duplicateRate);
      if (comesAgain) shard.pieces.unshift({ records, attempts });
      return;
    }
    const left = records.slice(first);
    if (first > 0) shard.pieces.unshift({ records: left, attempts: 0 });
    else if (left.length > 1 && settings.bisects) {
      const half = Math.ceil(left.length / 2);
      const halves = [left.slice(0, half), left.slice(half)];
      shard.pieces.unshift(...halves.map((some) => ({ records: some, attempts: 0 })));
    } else if (attempts < settings.maxRetries) {
      shard.pieces.unshift({ records: left, attempts: attempts + 1 });
    } else {
      statistics.add('changes given up', left.length);
    }
  }
}

// An answer that names an unknown record fails the whole batch.
function findFirstFailed(
  records: StreamRecord[],
  outcome: InvocationEnd,
  reportsFailures: boolean,
): number | undefined {
  if ('error' in outcome) return 0;
  const reported = reportsFailures ? readReported(outcome.answer) : [];
  if (reported.length === 0) return undefined;
  const positions = reported.map((name) => records.findIndex(({ sequence }) => sequence === name));
  return Math.max(0, Math.min(...positions));
}

function readReported(answer: unknown): string[] {
  const { batchItemFailures = [] } = (answer ?? {}) as Partial<DynamoDBBatchResponse>;
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}
