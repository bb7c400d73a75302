import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { numberOf, textOf } from '../dynamodb/item-values.ts';
import type { Click } from './click.ts';
import type { Violation } from './violation.ts';

type Numbers = Map<string, number>;

/** The numbers of an item, by attribute: stored, and of the counted clicks. */
interface Counts {
  stored: Numbers;
  counted: Numbers;
}

const notBreakdowns = new Set(['PK', 'SK', 'count']);

/**
 * Checks that each value of a day's breakdowns is the number of its counted clicks, and that a link has
 * as many people and bots as its days. A counted click has one value of each breakdown, so the values
 * of one sum to the day's count.
 */
export class BreakdownAudit {
  readonly #counts = new Map<string, Counts>();

  /** Checks the links and days that a commit changed, or on which it counted clicks. */
  record(changes: Change[], clicks: Click[]): Violation[] {
    const touched = new Set<string>();
    const countsOf = (name: string) => {
      touched.add(name);
      const counts = this.#counts.get(name) ?? { stored: new Map(), counted: new Map() };
      this.#counts.set(name, counts);
      return counts;
    };
    for (const { code, day, raises } of clicks) {
      addAll(countsOf(`LINK#${code} STAT#${day}`).counted, raises);
      // A link counts only people and bots.
      addAll(countsOf(`LINK#${code} META`).counted, raises.filter(isVisitor));
    }
    for (const { after } of changes) {
      const [partition, sort] = [textOf(after, 'PK'), textOf(after, 'SK')];
      if (!partition.startsWith('LINK#')) continue;
      const isOwn = (name: string) =>
        sort === 'META' ? isVisitor(name) : !notBreakdowns.has(name);
      countsOf(`${partition} ${sort}`).stored = readNumbers(after, isOwn);
    }
    return [...touched].flatMap((name) => this.#check(name));
  }

  #check(name: string): Violation[] {
    const { stored = new Map(), counted = new Map() } = this.#counts.get(name) ?? {};
    return [...new Set([...stored.keys(), ...counted.keys()])].flatMap((attribute) => {
      const [amount, clicks] = [stored.get(attribute) ?? 0, counted.get(attribute) ?? 0];
      const text = `${name}: ${attribute} is ${amount}, but ${clicks} clicks have it`;
      return amount === clicks
        ? []
        : { kind: 'breakdowns', text, about: [name.split(' ')[0] ?? ''] };
    });
  }
}

const isVisitor = (attribute: string) => ['vh', 'vb'].includes(attribute);

function addAll(numbers: Numbers, attributes: readonly string[]): void {
  for (const name of attributes) numbers.set(name, (numbers.get(name) ?? 0) + 1);
}

function readNumbers(item: Item, isOwn: (name: string) => boolean): Numbers {
  return new Map(
    Object.keys(item)
      .filter(isOwn)
      .map((name) => [name, numberOf(item, name)]),
  );
}
