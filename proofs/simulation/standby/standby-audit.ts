import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Report } from '../clicks/click.ts';
import { type Change, type ItemStore, keyOf, numberOf, textOf } from '../dynamodb/item-store.ts';

/** What a standby may have of a link, besides its key, its version and its expiry. */
const linkAttributes = ['url', 'forwardQuery', 'expiresAt', 'disabled', 'deletedAt'];
const ownAttributes = new Set(['PK', 'SK', 'version', 'ttl', ...linkAttributes]);

/**
 * Checks that the standby's table follows the home Region's: it has only states that links had there,
 * each link's versions rise, and in the end both have the same. It uses nothing of the service.
 */
export class StandbyAudit {
  readonly #report: Report;
  readonly #now: () => number;
  /** Every state that a link has had in the home Region, by its key. */
  readonly #states = new Map<string, Set<string>>();
  /** When a link stopped redirecting in the standby's table, by its key. */
  readonly #downSinceMs = new Map<string, number>();

  constructor(report: Report, now: () => number) {
    this.#report = report;
    this.#now = now;
  }

  /** The home Region's table stored items. */
  onHomeCommit(changes: readonly Change[]): void {
    for (const { key, after } of changes) {
      if (!after || !isLink(key)) continue;
      const states = this.#states.get(key) ?? new Set();
      this.#states.set(key, states.add(describe(after)));
    }
  }

  /** The standby's table stored items. */
  onCommit(changes: readonly Change[]): void {
    for (const { key, before, after } of changes) {
      this.#checkAttributes(key, after ?? {});
      if (!after) continue;
      if (!this.#states.get(key)?.has(describe(after))) {
        this.#report('invented', 'the standby has a state that the link never had', [key]);
      }
      if (before && numberOf(after, 'version') <= numberOf(before, 'version')) {
        const isBack = redirects(after) && !redirects(before);
        const text = isBack ? 'a late change brought a link back' : 'a late change undid another';
        this.#report('undone', text, [key]);
      }
    }
    this.onRepair(changes);
  }

  /** Operators replaced items of the standby's table. */
  onRepair(changes: readonly Change[]): void {
    for (const { key, after = {} } of changes) {
      if (redirects(after)) this.#downSinceMs.delete(key);
      else if (!this.#downSinceMs.has(key)) this.#downSinceMs.set(key, this.#now());
    }
  }

  /** When the link stopped redirecting in the standby's table; undefined if it redirects. */
  downSinceMs(key: string): number | undefined {
    return this.#downSinceMs.get(key);
  }

  /** Once nothing is on its way, both tables have the same links. */
  checkEnd(home: ItemStore, standby: ItemStore): void {
    const keys = [...home.scan(), ...standby.scan()].map(keyOf).filter(isLink);
    for (const key of new Set(keys)) {
      const ofHome = this.#present(home.get(key));
      const ofStandby = this.#present(standby.get(key));
      if (ofHome === ofStandby) continue;
      const text = `the standby has ${ofStandby}, but the link is ${ofHome}`;
      this.#report('diverged', text, [key]);
    }
  }

  /** A visitor at the standby gets what the home Region's table says. */
  checkAnswer(key: string, home: Item | undefined, answer: { statusCode?: number; url?: string }) {
    const expected = home && redirects(home) ? textOf(home, 'url') : undefined;
    const got = answer.statusCode === 302 ? answer.url : undefined;
    if (got === expected) return;
    this.#report('misled', `the standby led to ${got} instead of ${expected}`, [key]);
  }

  // TTL deletes late, and in both tables at different times.
  #present(item: Item | undefined): string | undefined {
    if (!item || numberOf(item, 'ttl') * 1_000 <= this.#now()) return undefined;
    return describe(item);
  }

  #checkAttributes(key: string, item: Item): void {
    const others = Object.keys(item).filter((name) => !ownAttributes.has(name));
    if (isLink(key) && others.length === 0) return;
    this.#report('overreach', 'the standby stored more than where links lead', [key, ...others]);
  }
}

/** A link's state as a text. Its expiry matters once it's purged. */
export function describe(item: Item): string {
  const isPurged = textOf(item, 'url') === '';
  const names = isPurged ? ['disabled', 'ttl'] : linkAttributes;
  const values = names.flatMap((name) => (item[name] ? [[name, item[name]]] : []));
  const version = numberOf(item, 'version') || 0;
  return JSON.stringify({ version, ...Object.fromEntries(values) });
}

function redirects(item: Item): boolean {
  const isDisabled = item.disabled !== undefined;
  return textOf(item, 'url') !== '' && !isDisabled && item.deletedAt === undefined;
}

function isLink(key: string): boolean {
  const [partition = '', sortKey]: string[] = JSON.parse(key);
  return partition.startsWith('LINK#') && sortKey === 'META';
}
