import type { Item } from '../../../fixtures/dynamodb-items.ts';
import { type Change, textOf } from '../dynamodb/item-store.ts';
import type { Click, Report } from './click.ts';
import { isBetween, sketchIn, sketchOf } from './visitor-marks.ts';

/** What the auditor may expect of the stored sketches. */
interface Circumstances {
  /** The table's. */
  items: readonly Item[];
  /** All clicks that were sent and counted. */
  counted: readonly Click[];
}

const none: ReadonlySet<number> = new Set();

/**
 * Checks that a link's day has the sketch of its visitors, bit by bit: of those clicks by people that were
 * counted, and of no others. It may lack a visitor whose message operators left among the dead letters.
 */
export class VisitorAudit {
  readonly #report: Report;
  /** The ids of counted clicks, by link. Those from before its purge are gone with it. */
  readonly #counted = new Map<string, Set<string>>();
  /** The marks in messages that left the queue as processed, by link and day. */
  readonly #required = new Map<string, Set<number>>();
  /**
   * Links with a union after their purge. A purge comes 90 days after the last click, but the purger's
   * clock is ahead, so here some messages are older than a purge.
   */
  readonly #outlived = new Set<string>();

  constructor(report: Report) {
    this.#report = report;
  }

  onCommit(changes: readonly Change[]): void {
    for (const { key, after } of changes) {
      const [partition, sortKey]: [string, string] = JSON.parse(key);
      if (after && textOf(after, 'purgedAt') !== '') this.#forget(partition, 'ttl' in after);
      if (after && sortKey.startsWith('VISITORS#')) this.#outlived.add(partition);
    }
  }

  /** A click was counted for the first time. */
  onCounted({ id, code }: Click): void {
    addTo(this.#counted, `LINK#${code}`, id);
  }

  /** A message with a counted click was deleted as processed. */
  onProcessed({ id, code, day, mark }: Click): void {
    if (mark === undefined || !this.#counted.get(`LINK#${code}`)?.has(id)) return;
    addTo(this.#required, `LINK#${code} VISITORS#${day}`, mark);
  }

  checkEnd({ items, counted }: Circumstances): void {
    const possible = new Map<string, Set<number>>();
    for (const { code, day, mark } of counted) {
      if (mark !== undefined) addTo(possible, `LINK#${code} VISITORS#${day}`, mark);
    }
    const links = new Set(items.filter((item) => item.url).map((item) => textOf(item, 'PK')));
    const stored = new Map<string, Buffer>();
    for (const item of items) {
      const partition = textOf(item, 'PK');
      const sortKey = textOf(item, 'SK');
      if (!sortKey.startsWith('VISITORS#')) continue;
      stored.set(`${partition} ${sortKey}`, sketchIn(item));
      if (links.has(partition) || this.#outlived.has(partition)) continue;
      this.#report('visitors', "a purged link's visitors are still there", [partition, sortKey]);
    }
    for (const name of new Set([...possible.keys(), ...stored.keys()])) {
      const [partition = ''] = name.split(' ');
      const least = (links.has(partition) && this.#required.get(name)) || none;
      this.#check(name, stored.get(name), least, possible.get(name) ?? none);
    }
  }

  #check(
    name: string,
    stored: Buffer | undefined,
    least: ReadonlySet<number>,
    most: ReadonlySet<number>,
  ): void {
    const isExact = stored && least.size === most.size;
    const isRight = isExact
      ? stored.equals(sketchOf(most))
      : isBetween(stored ?? sketchOf(none), least, most);
    if (isRight) return;
    const text = `the sketch isn't that of the ${most.size} visitors, of whom ${least.size} must be in it`;
    this.#report('visitors', text, name.split(' '));
  }

  #forget(partition: string, isGone: boolean): void {
    this.#counted.delete(partition);
    for (const name of this.#required.keys()) {
      if (name.startsWith(`${partition} `)) this.#required.delete(name);
    }
    if (!isGone) this.#outlived.delete(partition);
  }
}

function addTo<Value>(sets: Map<string, Set<Value>>, name: string, value: Value): void {
  const known = sets.get(name);
  if (known) known.add(value);
  else sets.set(name, new Set([value]));
}
