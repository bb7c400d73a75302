import type { Item } from '../../../fixtures/dynamodb-items.ts';
import { type Change, numberOf, textOf } from '../dynamodb/item-store.ts';
import { keptMs } from '../stage-settings.ts';
import { campaignLetters } from './breakdowns.ts';
import type { Click, MarkedClick, Violation } from './click.ts';

const minuteMs = 60_000;
const maxValues = 20;

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
 * the day's count. The values of a UTM parameter sum to the clicks that have it, and with those that
 * don't to the clicks with a campaign.
 */
export class LinkAudit {
  readonly #counts = new Map<string, Counts>();
  /** The numbered values of each link's days, by their counters, such as `s0`. */
  readonly #values = new Map<string, Map<string, string>>();
  /** The links that exist, by their partition keys. */
  readonly #links = new Map<string, Item>();

  /**
   * Whether a link counts a click now: it exists, it wasn't deleted more than a minute before the click,
   * and it hasn't got its code from a deleted link after it.
   */
  accepts({ code, detail: { at } }: Click): boolean {
    const link = this.#links.get(`LINK#${code}`);
    if (!link) return false;
    const since = textOf(link, 'since');
    const deletedAt = textOf(link, 'deletedAt');
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
    for (const { code, day, raises, campaigns, mayLackCampaigns } of clicks) {
      addAll(countsOf(`LINK#${code} STAT#${day}`).counted, raises);
      // A link counts only people and bots.
      const visitors = raises.filter((attribute) => ['vh', 'vb'].includes(attribute));
      addAll(countsOf(`LINK#${code} META`).counted, visitors);
      if (campaigns.length === 0) continue;
      const mark = mayLackCampaigns ? '?' : '';
      addAll(countsOf(`LINK#${code} STAT#${day}`).counted, [`utm${mark}`]);
      const sums = Object.values(campaignLetters).map((letter) => `${letter}-utm${mark}`);
      const values = campaigns.flatMap((value) => [`${value[0]}${mark}`, value]);
      const people = raises.includes('vh') ? values.map(nameOfPeople) : [];
      const counted = [...sums, ...values, ...people, `ap${mark}`];
      addAll(countsOf(`LINK#${code} UTM#${day}`).counted, counted);
    }
    const problems: Violation[] = [];
    for (const { key, before = {}, after = {} } of changes) {
      const [partition, sortKey]: [string, string] = JSON.parse(key);
      // VisitorAudit checks sketches.
      if (!partition.startsWith('LINK#') || sortKey.startsWith('VISITORS#')) continue;
      const text = describeLifeProblem(before, after);
      if (text) problems.push({ kind: 'life', text, about: [partition.replace('LINK#', '')] });
      const name = `${partition} ${sortKey}`;
      if (textOf(after, 'purgedAt') !== '') problems.push(...this.#purge(partition, after));
      else if (textOf(after, 'url') !== '') this.#links.set(partition, after);
      if (!this.#links.has(partition) && !('PK' in after)) this.#counts.delete(name);
      else if (this.#links.has(partition) || sortKey !== 'META') {
        const numbers = readNumbers(after);
        const [, day, parameter] = sortKey.split('#');
        const values = this.#valuesOf(`${partition} ${day}`);
        if (parameter) addValues(values, parameter, after);
        countsOf(name).stored = sortKey.startsWith('UTM#')
          ? sumCampaigns(numbers, values)
          : numbers;
      }
    }
    return [...problems, ...[...touched].flatMap((name) => this.#check(name))];
  }

  #valuesOf(linkDay: string): Map<string, string> {
    const values = this.#values.get(linkDay) ?? new Map();
    this.#values.set(linkDay, values);
    return values;
  }

  /** A link is being purged. When its code becomes free, its days must be gone. A new one begins at 0. */
  #purge(partition: string, tombstone: Item): Violation[] {
    this.#links.delete(partition);
    this.#counts.delete(`${partition} META`);
    const days = [...this.#counts.keys()].filter((name) => name.startsWith(`${partition} `));
    if (!('ttl' in tombstone)) return [];
    for (const name of days) this.#counts.delete(name);
    const text = 'a code became free before its days were gone';
    return days.map((name) => ({ kind: 'life', text, about: [name] }));
  }

  #check(name: string): Violation[] {
    const [link = ''] = name.split(' ');
    const about = [link.replace('LINK#', '')];
    const { stored = new Map(), counted = new Map() } = this.#counts.get(name) ?? {};
    const problems = [...new Set([...stored.keys(), ...counted.keys()])].flatMap((attribute) => {
      const amount = stored.get(attribute) ?? 0;
      const clicks = counted.get(attribute) ?? 0;
      const kind = ['clicks', 'count'].includes(attribute) ? 'sums' : 'breakdowns';
      const text = `${name}: ${attribute} is ${amount}, but ${clicks} clicks have it`;
      // A parameter's value may count as another one, and clicks with a ? may lack it.
      const isAtMost = /[=?]/.test(attribute);
      const most = clicks + (counted.get(`${attribute}?`) ?? 0);
      return amount <= most && (isAtMost || amount >= clicks) ? [] : { kind, text, about };
    });
    const values = Object.groupBy([...stored.keys()], (attribute) => attribute.split('=')[0] ?? '');
    for (const [parameter, { length } = []] of Object.entries(values)) {
      if (length <= maxValues + 1) continue;
      const text = `${name}: ${parameter} has ${length - 1} values`;
      problems.push({ kind: 'breakdowns', text, about });
    }
    if (this.#links.has(link)) return problems;
    return [
      ...problems,
      { kind: 'sums', text: `${name} appeared, but no such link exists`, about },
    ];
  }
}

/** What's wrong with the next state of a link's item: it's deleted once, and kept for 90 days. */
function describeLifeProblem(before: Item, after: Item): string | undefined {
  const deletedAt = textOf(before, 'deletedAt');
  const next = textOf(after, 'deletedAt');
  if (deletedAt !== '' && next !== '' && next !== deletedAt) return 'a deletion was moved';
  if (textOf(before, 'url') === '' || textOf(after, 'url') !== '') return undefined;
  if (deletedAt === '') return "a link was purged that wasn't deleted";
  const isEarly = Date.parse(textOf(after, 'purgedAt')) < Date.parse(deletedAt) + keptMs;
  return isEarly ? 'a link was purged too early' : undefined;
}

function addAll(numbers: Numbers, attributes: readonly string[]): void {
  for (const name of attributes) numbers.set(name, (numbers.get(name) ?? 0) + 1);
}

/** The name of the clicks by people among those of a parameter or of a value. */
function nameOfPeople(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Adds the values of a parameter, which keep their numbers for ever. */
function addValues(values: Map<string, string>, parameter: string, item: Item): void {
  for (const name of Object.keys(item)) {
    const [, number] = /^v(\d+)$/.exec(name) ?? [];
    const letter = Object.entries(campaignLetters).find(([each]) => each === parameter)?.[1];
    if (number !== undefined) values.set(`${letter}${number}`, textOf(item, name));
  }
}

/**
 * The clicks with each value of each UTM parameter, their sum with the others, and this sum with the
 * clicks that have none. A number without a value is a value that no click has.
 */
function sumCampaigns(numbers: Numbers, values: Map<string, string>): Numbers {
  const sums: Numbers = new Map();
  const add = (name: string, amount: number) => sums.set(name, (sums.get(name) ?? 0) + amount);
  for (const [attribute, amount] of numbers) {
    const letter = attribute.charAt(0);
    const rest = attribute.slice(1);
    const ofAll = attribute.toLowerCase();
    // The clicks whose people are counted apart, in attributes that begin with a capital letter.
    if (attribute === 'ap') {
      add(attribute, amount);
      continue;
    }
    if (attribute === ofAll) add(`${letter}-utm`, amount);
    if (rest !== 'n') add(letter, amount);
    if (rest !== 'n' && rest !== 'o') add(`${letter}=${values.get(ofAll) ?? rest}`, amount);
  }
  return sums;
}

function readNumbers({ version: _version, ...item }: Item): Numbers {
  const names = Object.keys(item).filter((name) => 'N' in (item[name] ?? {}));
  return new Map(names.map((name) => [name, numberOf(item, name)]));
}
