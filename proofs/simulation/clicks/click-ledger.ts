import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { numberOf, textOf } from '../dynamodb/item-values.ts';
import type { MarkedClick } from './click.ts';
import type { Violation } from './violation.ts';

/** A counted click. */
export interface Mark {
  click: MarkedClick;
  /** When its marker or sheet expires. */
  expiryMs: number;
}

/** A slot of a sheet that the service set. */
export interface NewSlot {
  /** The sheet's partition key. */
  key: string;
  attribute: string;
  /** In base64. */
  value: string;
}

/** A stored link, and the sums of its marks by day. */
interface Link {
  exists: boolean;
  clicks: number;
  days: Map<string, number>;
  marked: Map<string, number>;
}

const notSlots = new Set(['PK', 'SK', 'ttl']);

/**
 * Follows the stored items commit by commit: each link's sum, its days and the counted ids. It knows
 * only the items' layout.
 */
export class ClickLedger {
  readonly #resolve: (slot: NewSlot) => MarkedClick | undefined;
  readonly #links = new Map<string, Link>();
  readonly #marks = new Map<string, Mark[]>();

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
        const click = { id: name, code: textOf(after, 'code'), day: textOf(after, 'day') };
        marks.push(this.#mark(click, after));
      } else if (kind === 'CLICKS') {
        marks.push(...this.#recordSheet(change, problems));
      }
    }
    for (const { click } of marks) touched.add(click.code);
    for (const code of touched) problems.push(...this.#checkLink(code));
    return { marks, problems };
  }

  /** All marks of this id, in order. */
  marksOf(id: string): Mark[] {
    return this.#marks.get(id) ?? [];
  }

  exists(code: string): boolean {
    return this.#links.get(code)?.exists ?? false;
  }

  #recordSheet({ before = {}, after }: Change, problems: Violation[]): Mark[] {
    const key = textOf(after, 'PK');
    if (numberOf(after, 'ttl') < numberOf(before, 'ttl')) {
      problems.push({ kind: 'short marker', text: 'the ttl of a sheet moved back', about: [key] });
    }
    return Object.entries(after).flatMap(([attribute, value]) => {
      if (notSlots.has(attribute) || before[attribute]) return [];
      const click = 'B' in value && this.#resolve({ key, attribute, value: value.B });
      if (click) return this.#mark(click, after);
      const text = `the slot ${attribute} was set for a click that nobody sent`;
      problems.push({ kind: 'made up', text, about: [key] });
      return [];
    });
  }

  #mark(click: MarkedClick, item: Item): Mark {
    const mark = { click, expiryMs: numberOf(item, 'ttl') * 1_000 };
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
    link.clicks = numberOf(item, 'clicks');
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
    return problems.map((text) => ({ kind: 'sums', text, about: [code] }));
  }

  #linkOf(code: string): Link {
    let link = this.#links.get(code);
    if (!link) {
      link = { exists: false, clicks: 0, days: new Map(), marked: new Map() };
      this.#links.set(code, link);
    }
    return link;
  }
}

function split(key: string): [kind: string, name: string] {
  const hash = key.indexOf('#');
  return hash < 0 ? [key, ''] : [key.slice(0, hash), key.slice(hash + 1)];
}
