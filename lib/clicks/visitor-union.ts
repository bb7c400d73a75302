import { LRUCache } from 'lru-cache';
import { retryWhileBusy, updateItem, WriteUnprovenError } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { visitorsKey } from '../keys.ts';
import type { Click } from './click.ts';
import { ClicksByDay, DayItems, dayTimeoutMs } from './link-days.ts';
import { fromBytes, noVisitors, toBytes, unite } from './visitor-sketch.ts';

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
  readonly #days = new ClicksByDay(idOfDay, (clicks: CountedClick[], deadlineMs) =>
    this.#addToDay(clicks, deadlineMs),
  );
  readonly #items: DayItems;

  constructor(table: TableAccess) {
    this.#table = table;
    this.#items = new DayItems(table, sketchesOnly);
  }

  /**
   * Adds a counted click's visitor, if it has one. A click that isn't counted must not get here: its link
   * may not exist. Throws {@link VisitorNotStoredError}: the click must come back.
   */
  async add(click: CountedClick, deadlineMs: number): Promise<void> {
    if (click.mark === undefined) return;
    try {
      await this.#days.handle(click, deadlineMs);
    } catch (error) {
      throw notStoredError(error);
    }
  }

  async #addToDay(clicks: CountedClick[], deadlineMs: number): Promise<Uint8Array> {
    const [first] = clicks;
    if (!first) return toBytes(noVisitors);
    const key = visitorsKey(first.code, first.day);
    const marks = new Set(clicks.flatMap(({ mark }) => mark ?? []));
    const known = this.#known.get(idOfDay(first));
    if (known && isSame(addMarks(known, marks), known)) return known;
    const united = await this.#store(key, known, marks, deadlineMs);
    this.#known.set(idOfDay(first), united);
    return united;
  }

  // Another environment may have written since. Then the write is rejected, and shows what's stored.
  async #store(
    key: Key,
    known: Uint8Array | undefined,
    marks: ReadonlySet<number>,
    deadlineMs: number,
  ): Promise<Uint8Array> {
    let stored = this.#readsBeforeTrust > 0 ? await this.#read(key) : known;
    while (Date.now() < deadlineMs) {
      const united = addMarks(stored, marks);
      const isStored = isSame(united, stored);
      const { isRejected, item } = isStored
        ? unchanged
        : await this.#write(key, stored, united, deadlineMs);
      if (!isRejected) {
        this.#learn(isSame(stored, known));
        return united;
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
    const write = async () => {
      const remainingMs = Math.max(0, deadlineMs - Date.now());
      const abortSignal = AbortSignal.timeout(Math.min(dayTimeoutMs, remainingMs));
      try {
        return await updateItem<StoredVisitors>({ ...this.#table, abortSignal }, update);
      } catch (error) {
        const mayRepeat = abortSignal.aborted && Date.now() < deadlineMs;
        throw mayRepeat ? new WriteUnprovenError('expected a response in time; got none') : error;
      }
    };
    return retryWhileBusy(write, deadlineMs);
  }

  async #read(key: Key): Promise<Uint8Array | undefined> {
    const item: StoredVisitors | undefined = await this.#items.read(key);
    return item?.sketch;
  }
}

type CountedClick = Pick<Click, 'code' | 'day' | 'mark'>;

interface StoredVisitors {
  sketch?: Uint8Array;
}

const idOfDay = ({ code, day }: CountedClick) => `${code} ${day}`;

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
