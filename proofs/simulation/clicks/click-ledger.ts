import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { numberOf, textOf } from '../dynamodb/item-values.ts';
import type { Violation } from '../queue-auditor.ts';
import type { MarkedClick } from './click.ts';
import { type MarkItem, type NewSlot, Sheets } from './sheet-ledger.ts';

/** A counted click. */
export interface Mark {
  click: MarkedClick;
  /** Its stored item. */
  item: MarkItem;
}

/** A stored link, and the sums of its marks by day. */
interface Link {
  exists: boolean;
  /** Whether its sum is a number, so that it can be raised. */
  isHealthy: boolean;
  clicks: number;
  days: Map<string, number>;
  marked: Map<string, number>;
}

/**
 * Follows the stored items commit by commit: each link's sum, its days and the counted ids. It knows
 * only the items' layout.
 */
export class ClickLedger {
  readonly #resolve: (slot: NewSlot) => MarkedClick | undefined;
  readonly #links = new Map<string, Link>();
  readonly #marks = new Map<string, Mark[]>();
  readonly #sheets = new Sheets();

  /** `resolve` tells which click a slot marks, because the slot has only a hash. */
  constructor(resolve: (slot: NewSlot) => MarkedClick | undefined) {
    this.#resolve = resolve;
  }

  /** Records the changes of one instant. Returns the new marks and the violations. */
  record(changes: Change[]): { marks: Mark[]; problems: Violation[] } {
    const marks: Mark[] = [];
    const problems: Violation[] = [];
    const touched = new Set<string>();
    for (const change of changes) {
      const { after } = change;
      const [kind, name] = split(textOf(after, 'PK'));
      if (kind === 'LINK') {
        this.#recordLink(name, after);
        touched.add(name);
      } else if (kind === 'CLICK') {
        marks.push(this.#recordMarker(name, after));
      } else if (kind === 'CLICKS') {
        marks.push(...this.#recordSheet(change, problems));
      }
    }
    for (const { click } of marks) touched.add(click.code);
    for (const code of touched) problems.push(...this.#checkLink(code));
    return { marks, problems };
  }

  /** Records items that were not written by the service. */
  recordByHand(changes: Change[]): void {
    for (const change of changes) {
      const [kind, name] = split(textOf(change.after, 'PK'));
      if (kind === 'LINK') this.#recordLink(name, change.after);
      else if (kind === 'CLICKS') this.#sheets.recordByHand(change);
    }
  }

  /** All marks of this id, in order. */
  marksOf(id: string): Mark[] {
    return this.#marks.get(id) ?? [];
  }

  /** Whether the link exists, its sum can be raised and the click can be marked. */
  isHealthy({ id, code }: MarkedClick): boolean {
    return (this.#links.get(code)?.isHealthy ?? false) && this.#sheets.isSound(id);
  }

  /** A link's stored total. */
  clicksOf(code: string): number {
    return this.#linkOf(code).clicks;
  }

  /** Compares the sums of all links with their markers. */
  compare(): Violation[] {
    return [...this.#links.keys()].flatMap((code) => this.#checkLink(code));
  }

  #recordMarker(id: string, item: Item): Mark {
    const click = { id, code: textOf(item, 'code'), day: textOf(item, 'day') };
    return this.#mark(click, { key: textOf(item, 'PK'), ttlMs: numberOf(item, 'ttl') * 1_000 });
  }

  #recordSheet(change: Change, problems: Violation[]): Mark[] {
    const recorded = this.#sheets.record(change);
    const about = [textOf(change.after, 'PK')];
    for (const problem of recorded.problems) problems.push({ kind: 'sheet', text: problem, about });
    return recorded.slots.flatMap((slot) => {
      const click = this.#resolve(slot);
      if (click) return this.#mark(click, slot.sheet);
      const problem = 'a slot was set for a click that nobody sent';
      problems.push({ kind: 'made up', text: problem, about });
      return [];
    });
  }

  #mark(click: MarkedClick, item: MarkItem): Mark {
    const mark = { click, item };
    this.#marks.set(click.id, [...this.marksOf(click.id), mark]);
    const { marked } = this.#linkOf(click.code);
    marked.set(click.day, (marked.get(click.day) ?? 0) + 1);
    return mark;
  }

  #recordLink(code: string, item: Item): void {
    const link = this.#linkOf(code);
    const [kind, day] = split(textOf(item, 'SK'));
    if (kind === 'STAT') {
      link.days.set(day, numberOf(item, 'count'));
      return;
    }
    link.exists = textOf(item, 'url') !== '';
    link.isHealthy = link.exists && 'N' in (item.clicks ?? {});
    link.clicks = link.isHealthy ? numberOf(item, 'clicks') : 0;
  }

  #checkLink(code: string): Violation[] {
    const { exists, clicks, days, marked } = this.#linkOf(code);
    const problems: string[] = [];
    const sum = [...days.values()].reduce((total, count) => total + count, 0);
    if (!exists) problems.push(`items of the link ${code} appeared, but the link does not exist`);
    if (clicks !== sum) problems.push(`${code} has ${clicks} clicks, but its days have ${sum}`);
    for (const day of new Set([...days.keys(), ...marked.keys()])) {
      const [count, marks] = [days.get(day) ?? 0, marked.get(day) ?? 0];
      if (count !== marks) {
        problems.push(`${code} has ${count} clicks on ${day}, but ${marks} marks`);
      }
    }
    return problems.map((problem) => ({ kind: 'sums', text: problem, about: [code] }));
  }

  #linkOf(code: string): Link {
    let link = this.#links.get(code);
    if (!link) {
      link = { exists: false, isHealthy: false, clicks: 0, days: new Map(), marked: new Map() };
      this.#links.set(code, link);
    }
    return link;
  }
}

function split(key: string): [kind: string, name: string] {
  const hash = key.indexOf('#');
  return hash < 0 ? [key, ''] : [key.slice(0, hash), key.slice(hash + 1)];
}
