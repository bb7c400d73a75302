import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Change } from '../dynamodb/item-store.ts';
import { numberOf, textOf } from '../dynamodb/item-values.ts';
import type { Violation } from '../queue-auditor.ts';
import { breakdownNames, valueOfAttribute } from './breakdowns.ts';
import type { Click } from './click.ts';
import { type StatisticsAnswer, sumBreakdowns } from './statistics-answer.ts';

type Numbers = Map<string, number>;

/** The numbers of a link's day, by attribute. */
interface Day {
  code: string;
  day: string;
  count: number;
  stored: Numbers;
  /** The numbers of the counted clicks. */
  counted: Numbers;
}

const botAttribute = 'vb';
/** Those that a link counts too. */
const linkAttributes = ['vh', botAttribute];
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
      const visitors = this.#visitorsOf(click.code);
      for (const name of click.raises) visitors.set(name, (visitors.get(name) ?? 0) + 1);
      const day = this.#dayOf(`LINK#${click.code}`, `STAT#${click.day}`);
      for (const name of click.raises) day.counted.set(name, (day.counted.get(name) ?? 0) + 1);
      touched.add(day);
    }
    for (const { after } of changes) {
      const sortKey = textOf(after, 'SK');
      if (!sortKey.startsWith('STAT#')) continue;
      const day = this.#dayOf(textOf(after, 'PK'), sortKey);
      day.count = numberOf(after, 'count');
      day.stored = readNumbers(after);
      touched.add(day);
    }
    return [...[...touched].flatMap(checkDay), ...this.#checkLinks(changes)];
  }

  /** The service's expected statistics of a link with this number of clicks. */
  describe(code: string, clicks: number): StatisticsAnswer {
    const days = [...this.#days.values()]
      .filter((day) => day.code === code)
      .sort((a, b) => (a.day < b.day ? -1 : 1));
    const botsOf = ({ stored }: Day) => stored.get(botAttribute) ?? 0;
    return {
      clicks,
      bots: days.reduce((sum, day) => sum + botsOf(day), 0),
      days: days.map((day) => ({ date: day.day, count: day.count, bots: botsOf(day) })),
      breakdowns: sumBreakdowns(days.map(({ stored }) => stored)),
    };
  }

  #checkLinks(changes: Change[]): Violation[] {
    return changes.flatMap(({ after }) => {
      const [kind, code = ''] = textOf(after, 'PK').split('#');
      if (kind !== 'LINK' || textOf(after, 'SK') !== 'META') return [];
      return linkAttributes.flatMap((name) => {
        const [stored, clicks] = [
          numberOf(after, name) || 0,
          this.#visitorsOf(code).get(name) ?? 0,
        ];
        const text = `${code} has ${name} ${stored}, but ${clicks} clicks have it`;
        return stored === clicks ? [] : { kind: 'breakdowns', text, about: [code] };
      });
    });
  }

  #visitorsOf(code: string): Numbers {
    const visitors = this.#visitors.get(code) ?? new Map<string, number>();
    this.#visitors.set(code, visitors);
    return visitors;
  }

  #dayOf(partitionKey: string, sortKey: string): Day {
    const key = `${partitionKey} ${sortKey}`;
    let day = this.#days.get(key);
    if (!day) {
      const [code, date] = [partitionKey, sortKey].map((part) => part.slice('LINK#'.length));
      day = { code: code ?? '', day: date ?? '', count: 0, stored: new Map(), counted: new Map() };
      this.#days.set(key, day);
    }
    return day;
  }
}

function checkDay({ code, day, count, stored, counted }: Day): Violation[] {
  const problems: Violation[] = [];
  const report = (kind: string, what: string) =>
    problems.push({ kind, text: `${code} on ${day}: ${what}`, about: [code] });
  const sums = new Map(breakdownNames.map((name) => [name, 0]));
  for (const [attribute, amount] of stored) {
    const value = valueOfAttribute.get(attribute);
    if (!value) {
      report('a new attribute', `the attribute ${attribute} is unknown`);
      continue;
    }
    sums.set(value.breakdown, (sums.get(value.breakdown) ?? 0) + amount);
    const clicks = counted.get(attribute) ?? 0;
    if (amount !== clicks)
      report('breakdowns', `${attribute} is ${amount}, but ${clicks} clicks have it`);
  }
  for (const [name, sum] of sums) {
    if (sum !== count) report('breakdowns', `${name} sums to ${sum}, but the count is ${count}`);
  }
  for (const [attribute, clicks] of counted) {
    if (!stored.has(attribute))
      report('breakdowns', `${clicks} clicks have ${attribute}, which is missing`);
  }
  return problems;
}

function readNumbers(item: Item): Numbers {
  const numbers: Numbers = new Map();
  for (const name in item) if (!notBreakdowns.has(name)) numbers.set(name, numberOf(item, name));
  return numbers;
}
