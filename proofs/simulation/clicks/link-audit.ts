import type { Item } from '../../../fixtures/dynamodb-items.ts';
import { type Change, numberOf, textOf } from '../dynamodb/item-store.ts';
import type { Click, MarkedClick, Violation } from './click.ts';

const minuteMs = 60_000;

type Numbers = Map<string, number>;

/** The numbers of a link or a day, by attribute: stored, and of the counted clicks. */
interface Counts {
  stored: Numbers;
  counted: Numbers;
}

/**
 * Checks that each link and each of its days exists for counted clicks only and has as many clicks as
 * markers and slots, so a link's clicks are the sum of its days. And that each value of the breakdowns is
 * the number of its counted clicks. A click has one value of each breakdown, so the values of one sum to
 * the day's count.
 */
export class LinkAudit {
  readonly #counts = new Map<string, Counts>();
  /** The links that exist, by their partition keys. */
  readonly #links = new Map<string, Item>();

  /**
   * Whether a link counts a click now: it exists, it wasn't deleted more than a minute before the click,
   * and it hasn't got its code from a deleted link after it.
   */
  accepts({ code, detail: { at } }: Click): boolean {
    const link = this.#links.get(`LINK#${code}`);
    if (!link) return false;
    const [since, deletedAt] = [textOf(link, 'since'), textOf(link, 'deletedAt')];
    const atMs = Date.parse(at);
    const isDeleted = deletedAt !== '' && Date.parse(deletedAt) + minuteMs < atMs;
    return !isDeleted && (since === '' || Date.parse(since) <= atMs);
  }

  /** Checks the links and days that a commit changed, or on which it counted clicks. */
  record(changes: Change[], marked: MarkedClick[], clicks: Click[]): Violation[] {
    const touched = new Set<string>();
    const countsOf = (name: string) => {
      touched.add(name);
      const counts = this.#counts.get(name) ?? { stored: new Map(), counted: new Map() };
      this.#counts.set(name, counts);
      return counts;
    };
    for (const { code, day } of marked) {
      addAll(countsOf(`LINK#${code} STAT#${day}`).counted, ['count']);
      addAll(countsOf(`LINK#${code} META`).counted, ['clicks']);
    }
    for (const { code, day, raises } of clicks) {
      addAll(countsOf(`LINK#${code} STAT#${day}`).counted, raises);
      // A link counts only people and bots.
      const visitors = raises.filter((attribute) => ['vh', 'vb'].includes(attribute));
      addAll(countsOf(`LINK#${code} META`).counted, visitors);
    }
    for (const { after } of changes) {
      const partition = textOf(after, 'PK');
      if (!partition.startsWith('LINK#')) continue;
      if (textOf(after, 'purgedAt') !== '') {
        this.#forget(partition);
        continue;
      }
      if (textOf(after, 'url') !== '') this.#links.set(partition, after);
      countsOf(`${partition} ${textOf(after, 'SK')}`).stored = readNumbers(after);
    }
    return [...touched].flatMap((name) => this.#check(name));
  }

  /** A link was purged, and its days will be. A new one with its code begins at 0. */
  #forget(partition: string): void {
    this.#links.delete(partition);
    for (const name of this.#counts.keys()) {
      if (name.startsWith(`${partition} `)) this.#counts.delete(name);
    }
  }

  #check(name: string): Violation[] {
    const [link = ''] = name.split(' ');
    const about = [link.replace('LINK#', '')];
    const { stored = new Map(), counted = new Map() } = this.#counts.get(name) ?? {};
    const problems = [...new Set([...stored.keys(), ...counted.keys()])].flatMap((attribute) => {
      const [amount, clicks] = [stored.get(attribute) ?? 0, counted.get(attribute) ?? 0];
      const kind = ['clicks', 'count'].includes(attribute) ? 'sums' : 'breakdowns';
      const text = `${name}: ${attribute} is ${amount}, but ${clicks} clicks have it`;
      return amount === clicks ? [] : { kind, text, about };
    });
    if (this.#links.has(link)) return problems;
    return [
      ...problems,
      { kind: 'sums', text: `${name} appeared, but no such link exists`, about },
    ];
  }
}

function addAll(numbers: Numbers, attributes: readonly string[]): void {
  for (const name of attributes) numbers.set(name, (numbers.get(name) ?? 0) + 1);
}

function readNumbers(item: Item): Numbers {
  const names = Object.keys(item).filter((name) => 'N' in (item[name] ?? {}));
  return new Map(names.map((name) => [name, numberOf(item, name)]));
}
