import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { batchGetItems, retryWhileBusy, updateItem } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { visitorsKey } from '../keys.ts';
import type { Click } from './click.ts';
import { fromBytes, noVisitors, type Sketch, toBytes, unite } from './visitor-sketch.ts';

/** The same limits as for campaigns. */
const timeoutMs = 2_000;
const keysAtOnce = 100;
const daysAtOnce = 100;
const onlySketches = { ProjectionExpression: 'PK, SK, sketch' };
/** Each has at most 1 KB. */
const maxKnownDays = 5_000;

/** A click was counted, but its visitor couldn't be stored. */
export class VisitorNotStoredError extends Error {
  override readonly name = 'VisitorNotStoredError';
}

/** A day that has to be read before a deadline. */
interface Wanted {
  key: Key;
  deadlineMs: number;
}

interface Sent extends Wanted {
  mark: number;
}

type Key = ReturnType<typeof visitorsKey>;

/**
 * Adds the visitors of counted clicks to the sketches of their links' days. A union can be repeated, so
 * this needs no marker and no transaction. An environment remembers sketches: a visitor that it knows costs
 * nothing. Otherwise it reads the day's sketch, and writes it if the visitor is new to it.
 */
export class VisitorUnion {
  readonly #table: TableAccess;
  readonly #known = new LRUCache<string, Sketch>({ max: maxKnownDays });
  readonly #limit = pLimit(daysAtOnce);
  readonly #visitors = new DataLoader((sent: readonly Sent[]) => this.#addAll(sent), {
    cache: false,
  });
  readonly #items = new DataLoader((wanted: readonly Wanted[]) => this.#readItems(wanted), {
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

  // Another environment may have written meanwhile. Then its sketch is learned.
  async #addToDay(key: Key, marks: ReadonlySet<number>, deadlineMs: number): Promise<void> {
    const id = idOfDay({ key });
    const known = this.#known.get(id);
    if (known && isUnchanged(known, unite([known, marks]))) return;
    const item = await this.#items.load({ key, deadlineMs });
    for (let stored = item?.sketch; Date.now() < deadlineMs; ) {
      const sketch = stored ? fromBytes(stored) : noVisitors;
      const united = unite([sketch, marks]);
      this.#known.set(id, sketch);
      if (isUnchanged(sketch, united)) return;
      const bytes = toBytes(united);
      const write = this.#toWrite(key, stored, bytes);
      const { isRejected, item: found } = await retryWhileBusy(
        () => updateItem<StoredVisitors>(this.#inTime(), write),
        deadlineMs,
      );
      if (!isRejected) {
        this.#known.set(id, fromBytes(bytes));
        return;
      }
      stored = found?.sketch;
    }
    throw new Error('expected time to store the visitors; got none before the deadline');
  }

  #toWrite(Key: Key, stored: Uint8Array | undefined, united: Uint8Array) {
    const condition = stored
      ? { ConditionExpression: 'sketch = :stored', values: { ':stored': stored } }
      : { ConditionExpression: 'attribute_not_exists(sketch)', values: {} };
    return {
      Key,
      UpdateExpression: 'SET sketch = :united',
      ConditionExpression: condition.ConditionExpression,
      ExpressionAttributeValues: { ':united': united, ...condition.values },
    };
  }

  async #readItems(wanted: readonly Wanted[]): Promise<(StoredVisitors | undefined)[]> {
    const keys = wanted.map(({ key }) => key);
    const items = await retryWhileBusy(
      () => batchGetItems(this.#inTime(), keys, onlySketches),
      wanted.at(-1)?.deadlineMs,
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

const idOfDay = ({ key }: Pick<Wanted, 'key'>) => `${key.PK} ${key.SK}`;

/** Whether a sketch had all of a union's visitors already. */
function isUnchanged(sketch: Sketch, united: Sketch): boolean {
  if (sketch instanceof Uint8Array) return Buffer.compare(sketch, united as Uint8Array) === 0;
  return sketch.size === (united as Set<number>).size;
}

function notStoredError(cause: unknown): VisitorNotStoredError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new VisitorNotStoredError(`counted, but its visitor wasn't stored: ${reason}`, { cause });
}
