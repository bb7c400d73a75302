import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { batchGetItems, retryWhileBusy, updateItem } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { visitorsKey } from '../keys.ts';
import type { Click } from './click.ts';
import { fromBytes, noVisitors, toBytes, unite } from './visitor-sketch.ts';

/** The same limits as for campaigns. */
const timeoutMs = 2_000;
const keysAtOnce = 100;
const daysAtOnce = 100;
/** An old sketch is good enough, because the write shows whether it's old. */
const sketchesOnly = { ProjectionExpression: 'PK, SK, sketch', ConsistentRead: false };
/** Each has at most 1 KB. */
const maxKnownDays = 5_000;
/** A rejected write costs as much as ten reads. If a stage has one environment, there are none. */
const readsAfterSurprise = 4;

/** A click was counted, but its visitor couldn't be stored. */
export class VisitorNotStoredError extends Error {
  override readonly name = 'VisitorNotStoredError';
}

interface Sent {
  key: Key;
  mark: number;
  deadlineMs: number;
}

type Key = ReturnType<typeof visitorsKey>;

/**
 * Adds the visitors of counted clicks to the sketches of their links' days. A union can be repeated, so
 * this needs no marker and no transaction. An environment remembers sketches: a visitor that it knows costs
 * nothing. Another one costs a write, which expects the day to be as this environment knows it, or not to
 * exist. While other environments change days, too, they are read first.
 */
export class VisitorUnion {
  readonly #table: TableAccess;
  readonly #known = new LRUCache<string, Uint8Array>({ max: maxKnownDays });
  /** How many days must first be read and found as known. */
  #readsBeforeTrust = readsAfterSurprise;
  readonly #limit = pLimit(daysAtOnce);
  readonly #visitors = new DataLoader((sent: readonly Sent[]) => this.#addAll(sent), {
    cache: false,
  });
  readonly #items = new DataLoader((keys: readonly Key[]) => this.#readItems(keys), {
    cache: false,
    maxBatchSize: keysAtOnce,
  });

  constructor(table: TableAccess) {
    this.#table = table;
  }

  /**
   * Adds a counted click's visitor, if it has one. A click that isn't counted must not get here: its link
   * may not exist. Throws {@link VisitorNotStoredError}: the click must come back.
   */
  async add({ code, day, mark }: CountedClick, deadlineMs: number): Promise<void> {
    if (mark === undefined) return;
    await this.#visitors.load({ key: visitorsKey(code, day), mark, deadlineMs });
  }

  // The clicks of a batch share requests. An error concerns only the clicks of its day.
  async #addAll(sent: readonly Sent[]): Promise<(true | Error)[]> {
    const deadlineMs = sent.at(-1)?.deadlineMs ?? 0;
    const days = [...Map.groupBy(sent, idOfDay)];
    const outcomes = await this.#limit.map(days, async ([id, ofDay]) => {
      const [first] = ofDay;
      if (!first) return [id, true] as const;
      const marks = new Set(ofDay.map(({ mark }) => mark));
      const outcome = this.#addToDay(first.key, marks, deadlineMs).then(() => true as const);
      return [id, await outcome.catch(notStoredError)] as const;
    });
    const outcomeOf = new Map(outcomes);
    return sent.map((one) => outcomeOf.get(idOfDay(one)) ?? true);
  }

  // Another environment may have written since. Then the write is rejected, and shows what's stored.
  async #addToDay(key: Key, marks: ReadonlySet<number>, deadlineMs: number): Promise<void> {
    const id = idOfDay({ key });
    const known = this.#known.get(id);
    if (known && isSame(addMarks(known, marks), known)) return;
    let stored = this.#readsBeforeTrust > 0 ? (await this.#items.load(key))?.sketch : known;
    while (Date.now() < deadlineMs) {
      const united = addMarks(stored, marks);
      const isStored = isSame(united, stored);
      const { isRejected, item } = isStored
        ? unchanged
        : await this.#write(key, stored, united, deadlineMs);
      if (!isRejected) {
        this.#learn(isSame(stored, known));
        this.#known.set(id, united);
        return;
      }
      stored = item?.sketch;
    }
    throw new Error('expected time to store the visitors; got none before the deadline');
  }

  /** Learns whether a day was as this environment knew it. */
  #learn(wasKnown: boolean): void {
    const reads = wasKnown ? this.#readsBeforeTrust - 1 : readsAfterSurprise;
    this.#readsBeforeTrust = Math.max(0, reads);
  }

  // Tries until the deadline: a click that comes back costs six times as much.
  #write(Key: Key, stored: Uint8Array | undefined, united: Uint8Array, deadlineMs: number) {
    const condition = stored
      ? { ConditionExpression: 'sketch = :stored', values: { ':stored': stored } }
      : { ConditionExpression: 'attribute_not_exists(sketch)', values: {} };
    const update = {
      Key,
      UpdateExpression: 'SET sketch = :united',
      ConditionExpression: condition.ConditionExpression,
      ExpressionAttributeValues: { ':united': united, ...condition.values },
    };
    return retryWhileBusy(() => updateItem<StoredVisitors>(this.#inTime(), update), deadlineMs);
  }

  async #readItems(keys: readonly Key[]): Promise<(StoredVisitors | undefined)[]> {
    const items = await retryWhileBusy(() =>
      batchGetItems(this.#inTime(), [...keys], sketchesOnly),
    );
    const found = new Map(items.map((item) => [`${item.PK} ${item.SK}`, item as StoredVisitors]));
    return keys.map((key) => found.get(idOfDay({ key })));
  }

  #inTime(): TableAccess {
    return { ...this.#table, abortSignal: AbortSignal.timeout(timeoutMs) };
  }
}

type CountedClick = Pick<Click, 'code' | 'day' | 'mark'>;

interface StoredVisitors {
  sketch?: Uint8Array;
}

const idOfDay = ({ key }: { key: Key }) => `${key.PK} ${key.SK}`;

/** Nothing had to be written. */
const unchanged = { isRejected: false, item: undefined } as const;

/** A stored sketch with these visitors, which is the same if it had them. */
function addMarks(stored: Uint8Array | undefined, marks: ReadonlySet<number>): Uint8Array {
  return toBytes(unite([stored ? fromBytes(stored) : noVisitors, marks]));
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (!one || !other) return one === other;
  return Buffer.compare(one, other) === 0;
}

function notStoredError(cause: unknown): VisitorNotStoredError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new VisitorNotStoredError(`counted, but its visitor wasn't stored: ${reason}`, { cause });
}
