import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { numberOf, textOf } from '../dynamodb/item-values.ts';
import { breakdownNames, breakdownOfAttribute } from './breakdowns.ts';
import type { Click } from './click.ts';
import type { Violation } from './violation.ts';

type Numbers = Map<string, number>;

/** The numbers of a link's day, by attribute. */
interface Day {
  name: string;
  code: string;
  count: number;
  stored: Numbers;
  /** The numbers of the counted clicks. */
  counted: Numbers;
}

/** People and bots, which a link counts too. */
const linkAttributes = ['vh', 'vb'];
const notBreakdowns = new Set(['PK', 'SK', 'count']);

/**
 * Checks that a day's breakdowns sum to its count, that each value matches its counted clicks, and
 * that a link has as many people and bots as its days.
 */
export class BreakdownAudit {
  readonly #days = new Map<string, Day>();
  /** The counted clicks by people and bots, by link. */
  readonly #visitors = new Map<string, Numbers>();

  /** Checks the links and days that a commit changed, or on which it counted clicks. */
  record(changes: Change[], clicks: Click[]): Violation[] {
    const touched = new Set<Day>();
    for (const click of clicks) {
      addAll(this.#visitorsOf(click.code), click.raises);
      const day = this.#dayOf(click.code, `STAT#${click.day}`);
      addAll(day.counted, click.raises);
      touched.add(day);
    }
    const links: Violation[] = [];
    for (const { after } of changes) {
      const [kind, code = ''] = textOf(after, 'PK').split('#');
      const sortKey = textOf(after, 'SK');
      if (kind === 'LINK' && sortKey === 'META') links.push(...this.#checkLink(code, after));
      if (kind !== 'LINK' || !sortKey.startsWith('STAT#')) continue;
      const day = this.#dayOf(code, sortKey);
      day.count = numberOf(after, 'count');
      day.stored = readNumbers(after);
      touched.add(day);
    }
    return [...[...touched].flatMap(checkDay), ...links];
  }

  #checkLink(code: string, link: Item): Violation[] {
    return linkAttributes.flatMap((name) => {
      const stored = numberOf(link, name) || 0;
      const clicks = this.#visitorsOf(code).get(name) ?? 0;
      const text = `${code} has ${name} ${stored}, but ${clicks} clicks have it`;
      return stored === clicks ? [] : { kind: 'breakdowns', text, about: [code] };
    });
  }

  #visitorsOf(code: string): Numbers {
    const visitors = this.#visitors.get(code) ?? new Map<string, number>();
    this.#visitors.set(code, visitors);
    return visitors;
  }

  #dayOf(code: string, sortKey: string): Day {
    const name = `${code} on ${sortKey.slice('STAT#'.length)}`;
    const day = this.#days.get(name) ?? {
      ...{ name, code, count: 0, stored: new Map(), counted: new Map() },
    };
    this.#days.set(name, day);
    return day;
  }
}

function addAll(numbers: Numbers, attributes: readonly string[]): void {
  for (const name of attributes) numbers.set(name, (numbers.get(name) ?? 0) + 1);
}

function checkDay({ name, code, count, stored, counted }: Day): Violation[] {
  const problems: string[] = [];
  const sums = new Map(breakdownNames.map((breakdown) => [breakdown, 0]));
  for (const attribute of new Set([...stored.keys(), ...counted.keys()])) {
    const [amount, clicks] = [stored.get(attribute) ?? 0, counted.get(attribute) ?? 0];
    if (amount !== clicks) problems.push(`${attribute} is ${amount}, but ${clicks} clicks have it`);
    const breakdown = breakdownOfAttribute.get(attribute) ?? 'unknown attributes';
    sums.set(breakdown, (sums.get(breakdown) ?? 0) + amount);
  }
  for (const [breakdown, sum] of sums) {
    if (sum !== count) problems.push(`${breakdown} sums to ${sum}, but the count is ${count}`);
  }
  return problems.map((text) => ({ kind: 'breakdowns', text: `${name}: ${text}`, about: [code] }));
}

function readNumbers(item: Item): Numbers {
  const names = Object.keys(item).filter((name) => !notBreakdowns.has(name));
  return new Map(names.map((name) => [name, numberOf(item, name)]));
}
