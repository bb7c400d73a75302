import { isDeepStrictEqual } from 'node:util';
import { type TextField, textFields } from '../../../lib/links/rules/link-fields.ts';

type Value = string | readonly string[] | boolean | null;
export type Texts = { [Name in TextField]?: Value };

export interface Change extends Texts {
  disabled?: boolean;
  expected?: Texts;
}

export interface Known {
  owner: string;
  /** All fields. Those that aren't set are null. */
  texts: Texts;
  disabledBy?: 'owner' | 'operator' | undefined;
  /** Whether its owner has changed it. */
  isChanged?: boolean;
  /** Epoch milliseconds, as in `since`. */
  deletedMs?: number | undefined;
  /** A link with a purged link's code doesn't count clicks from before. */
  since?: number;
  /** The clicks of each day. */
  days: Map<string, number>;
}

const unset = Object.fromEntries(textFields.map((name) => [name, null]));
/** Fields that lead visitors elsewhere. */
const leading = ['url', 'forwardQuery'] as const;
const cacheMs = 60_000;

/** What the service must answer, and what its links must be like, after any operations of anybody. */
export class LinkModel {
  readonly links = new Map<string, Known>();
  /** The rows that were imported. */
  readonly #rows = new Set<string>();
  /**
   * Purged links. A code is free, kept by an operator, or, until the next purge, released by one.
   */
  readonly #purged = new Map<string, 'free' | 'kept' | 'released'>();

  /** Creates a link, and returns the status. */
  create(code: string, owner: string, texts: Texts, nowMs: number): number {
    if (this.#isTaken(code) || this.#isTaken(code.toLowerCase())) return 409;
    const since = this.#purged.has(code) ? { since: nowMs } : {};
    this.links.set(code, { owner, texts: { ...unset, ...texts }, ...since, days: new Map() });
    this.#purged.delete(code);
    return 201;
  }

  /** Imports a row, which always has the same key for its owner and its code. */
  import(code: string, owner: string, texts: Texts, nowMs: number): string {
    const row = `${owner} ${code}`;
    if (this.#rows.has(row)) return this.findOwn(code, owner) ? 'existing' : 'refused';
    if (this.create(code, owner, texts, nowMs) !== 201) return 'refused';
    this.#rows.add(row);
    return 'created';
  }

  change(code: string, owner: string, { disabled, expected, ...texts }: Change): number {
    const link = this.findOwn(code, owner);
    if (!link) return 404;
    const isLed = leading.some((name) => texts[name] !== undefined);
    if (link.disabledBy === 'operator' && (isLed || disabled === false)) return 403;
    const has = (some?: Texts) => isDeepStrictEqual({ ...link.texts, ...some }, link.texts);
    const isDisabled = link.disabledBy !== undefined;
    const isDone = has(texts) && (disabled ?? isDisabled) === isDisabled;
    if (!has(expected)) return isDone ? 200 : 409;
    if (Object.keys(texts).length > 0 || disabled !== undefined) link.isChanged = true;
    Object.assign(link.texts, texts);
    if (disabled === false) link.disabledBy = undefined;
    if (disabled) link.disabledBy ??= 'owner';
    return 200;
  }

  delete(code: string, owner: string, nowMs: number): number {
    const link = this.links.get(code);
    if (link?.owner !== owner) return 404;
    link.deletedMs ??= nowMs;
    return 200;
  }

  restore(code: string, owner: string): number {
    const link = this.links.get(code);
    if (link?.owner !== owner) return 404;
    link.deletedMs = undefined;
    return 200;
  }

  /** Purges every link that was deleted before this time, and frees the codes that were released. */
  purge(untilMs: number): void {
    for (const [code, state] of this.#purged) {
      if (state === 'released') this.#purged.set(code, 'free');
    }
    for (const [code, { deletedMs = untilMs, disabledBy }] of this.links) {
      if (deletedMs >= untilMs) continue;
      this.links.delete(code);
      this.#purged.set(code, disabledBy === 'operator' ? 'kept' : 'free');
    }
  }

  /** An operator disables or enables whatever has the code. Returns whether there is something. */
  operate(code: string, disabled: boolean): boolean {
    const link = this.links.get(code);
    const purged = this.#purged.get(code);
    if (link) link.disabledBy = disabled ? 'operator' : undefined;
    else if (disabled && purged) this.#purged.set(code, 'kept');
    else if (purged === 'kept') this.#purged.set(code, 'released');
    else return false;
    return true;
  }

  /** Whether a click of this time counts. */
  click(code: string, atMs: number, day: string): boolean {
    const link = this.links.get(code);
    if (!link || atMs < (link.since ?? 0)) return false;
    if (link.deletedMs !== undefined && atMs > link.deletedMs + cacheMs) return false;
    link.days.set(day, (link.days.get(day) ?? 0) + 1);
    return true;
  }

  /** Where a visit with this query gets to: an address, or the status of an error. */
  visit(code: string, query: string): string | number {
    const link = this.links.get(code);
    if (link?.deletedMs !== undefined) return 404;
    if (link?.disabledBy || this.isKept(code)) return 410;
    const address = this.lead(code, query);
    if (address !== undefined) return address;
    const lower = code.toLowerCase();
    return lower === code ? 404 : this.visit(lower, query);
  }

  /** Where a link leads, even if it's disabled or deleted. */
  lead(code: string, query: string): string | undefined {
    const texts = this.links.get(code)?.texts;
    return texts && `${texts.url}${texts.forwardQuery ? `?${query}` : ''}`;
  }

  /** Whether an operator has taken down what has the code, or had it. */
  isDown(code: string): boolean {
    return this.links.get(code)?.disabledBy === 'operator' || this.isKept(code);
  }

  isKept(code: string): boolean {
    return this.#purged.get(code) === 'kept';
  }

  /** A link that its owner can see. */
  findOwn(code: string, owner: string): Known | undefined {
    const link = this.links.get(code);
    return link?.owner === owner && link.deletedMs === undefined ? link : undefined;
  }

  #isTaken(code: string): boolean {
    return this.links.has(code) || ['kept', 'released'].includes(this.#purged.get(code) ?? '');
  }
}
