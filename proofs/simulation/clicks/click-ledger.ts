import type { Item } from '../../../fixtures/dynamodb-items.ts';
import { type Change, numberOf, textOf } from '../dynamodb/item-store.ts';
import type { MarkedClick, Violation } from './click.ts';

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

const notSlots = new Set(['PK', 'SK', 'ttl']);

/** Follows the stored markers and sheets commit by commit. It knows only the items' layout. */
export class ClickLedger {
  readonly #resolve: (slot: NewSlot) => MarkedClick | undefined;
  readonly #marks = new Map<string, Mark[]>();

  /** `resolve` tells which click a slot marks, because the slot has only a hash. */
  constructor(resolve: (slot: NewSlot) => MarkedClick | undefined) {
    this.#resolve = resolve;
  }

  /** Records the changes of one instant. Returns the new marks and the violations. */
  record(changes: Change[]): { marks: Mark[]; problems: Violation[] } {
    const marks: Mark[] = [];
    const problems: Violation[] = [];
    for (const change of changes) {
      const { before = {}, after } = change;
      // Nothing deletes a mark before it expires.
      if (!after) continue;
      const [, kind, name = ''] = /^(CLICKS?)#(.*)$/s.exec(textOf(after, 'PK')) ?? [];
      if (kind === 'CLICK') {
        const click = { id: name, code: textOf(after, 'code'), day: textOf(after, 'day') };
        marks.push(this.#mark(click, after));
      } else if (kind === 'CLICKS') {
        marks.push(...this.#recordSheet(before, after, problems));
      }
    }
    return { marks, problems };
  }

  /** All marks of this id, in order. */
  marksOf(id: string): Mark[] {
    return this.#marks.get(id) ?? [];
  }

  #recordSheet(before: Item, after: Item, problems: Violation[]): Mark[] {
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
    return mark;
  }
}
