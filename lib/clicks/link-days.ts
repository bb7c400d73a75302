import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import { batchGetItems, type Key, retryWhileBusy } from '../dynamodb/requests.ts';
import type { TableAccess } from '../dynamodb/table.ts';

/** Timeout for a request about a day, and for storing its campaigns' values. The batch's other clicks wait. */
export const dayTimeoutMs = 2_000;
/** A batch may have clicks on thousands of links. This many days are read and written at a time. */
const daysAtOnce = 100;
const keysAtOnce = 100;

interface Sent<Click> {
  click: Click;
  /** Epoch milliseconds. */
  deadlineMs: number;
}

type HandleDay<Click, Outcome> = (clicks: Click[], deadlineMs: number) => Promise<Outcome>;

/** Handles the clicks of a batch by their links' days. An error concerns only the clicks of its day. */
export class ClicksByDay<Click, Outcome extends object> {
  readonly #idOfDay: (click: Click) => string;
  readonly #handleDay: HandleDay<Click, Outcome>;
  readonly #limit = pLimit(daysAtOnce);
  readonly #clicks = new DataLoader((sent: readonly Sent<Click>[]) => this.#handleAll(sent), {
    cache: false,
  });

  constructor(idOfDay: (click: Click) => string, handleDay: HandleDay<Click, Outcome>) {
    this.#idOfDay = idOfDay;
    this.#handleDay = handleDay;
  }

  /** The outcome of a click's day, for all of its clicks that arrive at the same time. */
  handle(click: Click, deadlineMs: number): Promise<Outcome> {
    return this.#clicks.load({ click, deadlineMs });
  }

  async #handleAll(sent: readonly Sent<Click>[]): Promise<(Outcome | Error)[]> {
    const clicks = sent.map(({ click }) => click);
    const deadlineMs = Math.max(...sent.map((one) => one.deadlineMs));
    const days = [...Map.groupBy(clicks, this.#idOfDay)];
    const outcomes = await this.#limit.map(days, async ([id, ofDay]) => {
      const outcome = await this.#handleDay(ofDay, deadlineMs).catch(toError);
      return [id, outcome] as const;
    });
    const outcomeOf = new Map(outcomes);
    return clicks.map((click) => outcomeOf.get(this.#idOfDay(click)) ?? noOutcomeError());
  }
}

/** Reads items about days. Those that are asked for at the same time share requests. */
export class DayItems {
  readonly #items: DataLoader<Key, Record<string, unknown> | undefined>;

  constructor(table: TableAccess, options: Parameters<typeof batchGetItems>[2]) {
    const readAll = async (keys: readonly Key[]) => {
      const inTime = { ...table, abortSignal: AbortSignal.timeout(dayTimeoutMs) };
      const items = await retryWhileBusy(() => batchGetItems(inTime, [...keys], options));
      const found = new Map(items.map((item) => [nameOf(item as Key), item]));
      return keys.map((key) => found.get(nameOf(key)));
    };
    this.#items = new DataLoader(readAll, { cache: false, maxBatchSize: keysAtOnce });
  }

  /** Undefined if the item doesn't exist. */
  read(key: Key): Promise<Record<string, unknown> | undefined> {
    return this.#items.load(key);
  }
}

const nameOf = ({ PK, SK }: Key) => `${PK} ${SK}`;

const noOutcomeError = () => new Error('expected the outcome of each day; got none');

const toError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
