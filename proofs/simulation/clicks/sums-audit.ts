import { compareSums, type WrongSum } from '../../../cli/verify/stored-sums.ts';
import type { Item } from '../../../fixtures/dynamodb-items.ts';
import { dayKey, linkKey, sumsKey } from '../../../lib/keys.ts';
import type { DayCount } from '../../../lib/links/api/answer-schemas.ts';
import { parseStoredSums } from '../../../lib/overview/stored-sums.ts';
import { type Change, type ItemStore, keyOf, numberOf, textOf } from '../dynamodb/item-store.ts';
import { toNative } from '../dynamodb/native-items.ts';
import type { Report } from './click.ts';

const dayPrefix = dayKey('', '').SK;
const sumsPrefix = sumsKey('').PK;

/** What an overview of one link answered. */
export interface OverviewOfLink {
  code: string;
  /** The link's clicks when it was asked. */
  clicksBefore: number;
  answer: { clicks: number; oldLinks: number; days: DayCount[] };
}

/** Checks the sums that are stored for overviews, and what overviews answer. */
export class SumsAudit {
  readonly #report: Report;
  readonly #items: ItemStore;

  constructor(report: Report, items: ItemStore) {
    this.#report = report;
    this.#items = items;
  }

  /** Sums that are stored must be those of a state of the link, which has no fewer clicks since. */
  onCommit(changes: readonly Change[]): void {
    for (const { after } of changes) {
      const key = after ? textOf(after, 'PK') : '';
      if (after && key.startsWith(sumsPrefix)) this.#check(key.slice(sumsPrefix.length), after);
    }
  }

  /** An overview has at least the clicks from before it, unless it says that some are missing, and no others. */
  onAnswer({ code, clicksBefore, answer }: OverviewOfLink): void {
    const days = this.#readDays(code);
    const most = days.reduce((sum, { count }) => sum + count, 0);
    const isTooLow = answer.oldLinks === 0 && answer.clicks < clicksBefore;
    if (!isTooLow && answer.clicks <= most) return;
    const text = `an overview has ${answer.clicks} clicks, expected ${clicksBefore} to ${most}`;
    this.#report('overview', text, [code]);
  }

  #check(code: string, item: Item): void {
    const stored = parseStoredSums(toNative(item));
    if (!stored) {
      this.#report('overview', "the stored sums aren't sums of a known form", [code]);
      return;
    }
    const link = this.#items.get(keyOfItem(linkKey(code)));
    if (!link || textOf(link, 'createdAt') !== stored.createdAt) return;
    for (const wrong of compareSums(stored, this.#readDays(code))) {
      this.#report('overview', `stored sums are wrong: ${describe(wrong)}`, [code]);
    }
  }

  #readDays(code: string): DayCount[] {
    const { PK } = linkKey(code);
    const items = [...this.#items.scan()].filter(
      (item) => textOf(item, 'PK') === PK && textOf(item, 'SK').startsWith(dayPrefix),
    );
    const days = items.map((item) => ({
      date: textOf(item, 'SK').slice(dayPrefix.length),
      count: numberOf(item, 'count'),
      people: numberOf(item, 'vh') || 0,
      bots: numberOf(item, 'vb') || 0,
    }));
    return days.sort((a, b) => (a.date < b.date ? -1 : 1));
  }
}

function keyOfItem({ PK, SK }: { PK: string; SK: string }): string {
  return keyOf({ PK: { S: PK }, SK: { S: SK } });
}

function describe({ from, to, stored, days }: WrongSum): string {
  return `${from} to ${to}: ${JSON.stringify(stored)}, but the days have ${JSON.stringify(days)}`;
}
