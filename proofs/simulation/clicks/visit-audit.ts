import type { Change } from '../dynamodb/item-store.ts';
import type { Report } from '../queue-auditor.ts';
import type { Click } from './click.ts';
import { EditAudit } from './edit-audit.ts';
import { placeOf } from './sheet-ledger.ts';
import type { Visitor } from './visitors.ts';

const slotsPerSheet = 128;

/** Checks the visitors' answers, and the ids of the resolver's clicks. */
export class VisitAudit {
  readonly edits: EditAudit;
  readonly #now: () => number;
  readonly #report: Report;
  readonly #visitOfClick = new Map<string, string>();
  readonly #clickOfVisit = new Map<string, string>();
  readonly #visitors = new Map<string, Visitor>();
  readonly #answered = new Set<string>();
  readonly #taken = new Set<string>();
  /** By instance of the resolver: the links whose clicks it sent, and their sheets. */
  readonly #instances = new Map<string, { codes: Set<string>; sheets: Map<string, Set<string>> }>();
  /** The links' times of creation, by key. */
  readonly #createdMs = new Map<string, number>();

  constructor(now: () => number, report: Report) {
    this.#now = now;
    this.#report = report;
    this.edits = new EditAudit(now, report);
  }

  onCommit(changes: Change[]): void {
    this.edits.onCommit(changes);
    for (const { key, before } of changes) {
      if (!before && key.startsWith('["LINK#')) this.#createdMs.set(key, this.#now());
    }
  }

  /** A visitor opens a link. */
  onVisit(visit: string, visitor: Visitor): void {
    this.#visitors.set(visit, visitor);
  }

  /** An instance of the resolver tries to send a visit's click. */
  onSending(visit: string, instance: string, { id, code, raises }: Click): void {
    const expected = this.#visitors.get(visit)?.raises ?? [];
    const classified = raises.slice(0, expected.length);
    if (expected.length === 0)
      this.#report('made up', 'a request that is no click was sent', [visit, id]);
    else if (`${classified}` !== `${expected}`) {
      this.#report('breakdowns', `expected a visit to raise ${expected}, not ${classified}`, [
        visit,
        id,
      ]);
    }
    const other = this.#visitOfClick.get(id) ?? visit;
    if (other !== visit) this.#report('lost', 'two visits share a click id', [other, visit, id]);
    const earlier = this.#clickOfVisit.get(visit) ?? id;
    if (earlier !== id) this.#report('counted twice', 'a visit has two click ids', [visit, id]);
    this.#visitOfClick.set(id, visit);
    this.#clickOfVisit.set(visit, id);
    this.#checkPlace(instance, id, code);
  }

  /** The bus or the queue accepted a visit's click, or the resolver logged it. */
  onTaken({ id }: Click): void {
    this.#taken.add(this.#visitOfClick.get(id) ?? '');
  }

  /** A visitor got 410, so there must not be a click. */
  onGone(visit: string): void {
    const click = this.#clickOfVisit.get(visit);
    if (click) this.#report('made up', 'a visit to an expired link was sent', [visit, click]);
  }

  /** A visitor was redirected, so the click must have been published or logged. */
  onRedirected(visit: string): void {
    if (this.#visitors.get(visit)?.raises.length) this.#answered.add(visit);
  }

  /** A visitor who came at this time got 404. */
  onNotFound(visit: string, code: string, cameMs: number): void {
    const createdMs = this.#createdMs.get(JSON.stringify([`LINK#${code}`, 'META'])) ?? cameMs;
    if (createdMs >= cameMs) return;
    this.#report('not found', `${code} existed, but the visitor got 404`, [visit, code]);
  }

  checkEnd(): void {
    for (const visit of this.#answered.difference(this.#taken)) {
      const text = 'a visitor was redirected, but the click went nowhere';
      this.#report('vanished', text, [visit]);
    }
  }

  // Only the price depends on this: an instance's clicks share sheets. A link moves at most twice: to its
  // own sheet while it is busy, and to the common sheet while there are few links.
  #checkPlace(instance: string, id: string, code: string): void {
    const { codes, sheets } = this.#instances.get(instance) ?? {
      codes: new Set(),
      sheets: new Map(),
    };
    this.#instances.set(instance, { codes: codes.add(code), sheets });
    const place = placeOf(id);
    if (!place) {
      this.#report('price', 'the resolver sent an id without a place', [instance, id]);
      return;
    }
    sheets.set(place.key, (sheets.get(place.key) ?? new Set()).add(place.slot));
    const isFull = (slots: Set<string>) => slots.size === slotsPerSheet;
    const unfinished = [...sheets.values()].filter((slots) => !isFull(slots)).length;
    if (unfinished > 3 * codes.size) {
      this.#report('price', 'an instance opened a sheet too many', [instance, id]);
    }
  }
}
