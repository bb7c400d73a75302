import type { Item } from '../../../fixtures/dynamodb-items.ts';
import {
  describeStatistics,
  type StatisticsAnswer,
  sumBreakdowns,
} from '../clicks/statistics-answer.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { numberOf, textOf } from '../dynamodb/item-values.ts';
import type { Report } from '../queue-auditor.ts';

/** Without faults, a change is pushed within this time, even with unreadable records in between. */
const patienceMs = 120_000;

interface Stored {
  count: number;
  item: Item;
  atMs: number;
}

interface Watch {
  sinceMs: number;
  /** Undefined while it is active. */
  untilMs?: number;
}

interface Connection {
  endsMs: number;
  isBroken: boolean;
  closedMs?: number;
  /** By code. */
  watches: Map<string, Watch[]>;
  /** The highest number of each item that arrived. */
  arrived: Map<string, number>;
}

interface CountsMessage {
  type?: unknown;
  links?: LinkCounts[];
}

interface LinkCounts {
  code: string;
  clicks?: number;
  days: DayCounts[];
}

interface DayCounts {
  date: string;
  count: number;
  bots: number;
  breakdowns: StatisticsAnswer['breakdowns'];
}

/**
 * Knows the stored numbers and the watches, and nothing about how push-counts works. Every pushed number
 * must have been stored at some instant. While nothing fails, pages must get the newest numbers.
 */
export class PushAuditor {
  readonly #now: () => number;
  readonly #report: Report;
  /** Every stored number, in order, by link and sort key. */
  readonly #stored = new Map<string, Stored[]>();
  readonly #connections = new Map<string, Connection>();
  readonly #startedMs = new Map<string, number>();
  #soundSinceMs: number | undefined;

  constructor(now: () => number, report: Report) {
    this.#now = now;
    this.#report = report;
  }

  /** From now on, nothing fails. */
  onSound(): void {
    this.#soundSinceMs ??= this.#now();
  }

  onCommit(changes: readonly Change[]): void {
    for (const { after } of changes) {
      const [kind, code = ''] = textOf(after, 'PK').split('#');
      if (kind !== 'LINK') continue;
      const sortKey = textOf(after, 'SK');
      const count = numberOf(after, sortKey === 'META' ? 'clicks' : 'count');
      if (Number.isNaN(count)) continue;
      const key = `${code} ${sortKey}`;
      const stored = { count, item: after, atMs: this.#now() };
      const earlier = this.#stored.get(key);
      if (earlier) earlier.push(stored);
      else this.#stored.set(key, [stored]);
    }
  }

  onOpened(id: string, { endsMs, isBroken }: Pick<Connection, 'endsMs' | 'isBroken'>): void {
    this.#connections.set(id, { endsMs, isBroken, watches: new Map(), arrived: new Map() });
  }

  onWatched(id: string, code: string): void {
    const { watches } = this.#find(id);
    watches.set(code, [...(watches.get(code) ?? []), { sinceMs: this.#now() }]);
  }

  onUnwatched(id: string, code: string): void {
    const watch = this.#find(id).watches.get(code)?.at(-1);
    if (watch) watch.untilMs = this.#now();
  }

  onClosed(id: string): void {
    this.#find(id).closedMs = this.#now();
  }

  /** push-counts got a batch. */
  onInvoked(invocation: string): void {
    this.#startedMs.set(invocation, this.#now());
  }

  /** It answered. It must report the unreadable records and no others. */
  onAnswered(invocation: string, poison: string[], reported: string[]): void {
    if (`${poison.toSorted()}` === `${reported.toSorted()}`) return;
    const problem = `expected the failed records to be [${poison}]; push-counts reported [${reported}]`;
    this.#report('push report', problem, [invocation]);
  }

  /** An invocation sends a message, which may never arrive. */
  onSending(invocation: string, id: string, data: string): void {
    const startedMs = this.#startedMs.get(invocation) ?? 0;
    const connection = this.#find(id);
    if (connection.endsMs <= startedMs) this.#report('push', `${id} had expired`, [invocation, id]);
    for (const link of readLinks(data)) {
      const about = [invocation, id, link.code];
      const watches = connection.watches.get(link.code) ?? [];
      const watched = watches.some(({ untilMs = Infinity }) => untilMs >= startedMs);
      if (!watched) this.#report('push', `${id} does not watch ${link.code}`, about);
      for (const problem of this.#checkNumbers(link)) this.#report('push', problem, about);
    }
  }

  /** A message reached the page. */
  onReceived(id: string, data: string): void {
    const { arrived } = this.#find(id);
    const keep = (key: string, count: number) =>
      arrived.set(key, Math.max(count, arrived.get(key) ?? 0));
    for (const { code, clicks, days } of readLinks(data)) {
      if (clicks !== undefined) keep(`${code} META`, clicks);
      for (const { date, count } of days) keep(`${code} STAT#${date}`, count);
    }
  }

  /** The world is at rest: every open page must have the changes from when nothing failed. */
  checkEnd(): void {
    const soundSinceMs = this.#soundSinceMs;
    if (soundSinceMs === undefined) return;
    for (const [id, connection] of this.#connections) {
      if (connection.isBroken) continue;
      for (const [code, watches] of connection.watches) {
        const watch = watches.at(-1);
        if (watch) this.#checkWatch(id, connection, code, { ...watch, soundSinceMs });
      }
    }
  }

  #checkWatch(
    id: string,
    { endsMs, closedMs = Infinity, arrived }: Connection,
    code: string,
    { sinceMs, untilMs = Infinity, soundSinceMs }: Watch & { soundSinceMs: number },
  ): void {
    const fromMs = Math.max(sinceMs, soundSinceMs);
    const toMs = Math.min(endsMs, closedMs, untilMs) - patienceMs;
    for (const [key, stored] of this.#stored) {
      if (key.split(' ')[0] !== code) continue;
      const owed = stored.findLast(({ atMs }) => fromMs < atMs && atMs < toMs);
      const known = arrived.get(key) ?? 0;
      if (!owed || known >= owed.count) continue;
      const problem = `${id} knows ${known} clicks of ${key}, and ${owed.count} are stored`;
      this.#report('push', problem, [id, code]);
    }
  }

  #checkNumbers({ code, clicks, days }: LinkCounts): string[] {
    const problems: string[] = [];
    if (clicks !== undefined && !this.#findStored(`${code} META`, clicks)) {
      problems.push(`${code} never had ${clicks} clicks`);
    }
    for (const day of days) {
      const stored = this.#findStored(`${code} STAT#${day.date}`, day.count);
      const expected = stored && describeDay(toDay(day.date, stored));
      const got = describeDay(day);
      if (got !== expected) problems.push(`${code} never had this day: ${got}`);
    }
    return problems;
  }

  #findStored(key: string, count: number): Stored | undefined {
    return this.#stored.get(key)?.findLast((stored) => stored.count === count);
  }

  #find(id: string): Connection {
    const connection = this.#connections.get(id);
    if (!connection) throw new Error(`expected a connection that was opened; got ${id}`);
    return connection;
  }
}

function readLinks(data: string): LinkCounts[] {
  const { type, links = [] }: CountsMessage = JSON.parse(data);
  if (type !== 'counts') throw new Error(`expected push-counts to send counts; got ${data}`);
  return links;
}

function describeDay({ date, count, bots, breakdowns }: DayCounts): string {
  return describeStatistics({ bots, days: [{ date, count, bots }], breakdowns });
}

/** A stored day in the form of a push. */
function toDay(date: string, { count, item }: Stored): DayCounts {
  const amounts = Object.keys(item).map((name) => [name, numberOf(item, name)] as const);
  const breakdowns = sumBreakdowns([amounts]);
  const bots = breakdowns.visitor?.find(({ name }) => name === 'bot')?.count ?? 0;
  return { date, count, bots, breakdowns };
}
