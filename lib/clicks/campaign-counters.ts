import type { Increment } from 'powertools-idempotency-transactional';
import { invariant } from '../invariant.ts';
import { campaignKey } from '../keys.ts';
import { campaignParameters, type Parameter } from './campaign.ts';

/** The attributes that count a parameter's values begin with its letter. Never change or reuse one. */
const letters = { utm_source: 's', utm_medium: 'm', utm_campaign: 'c' } as const satisfies Record<
  Parameter,
  string
>;
/** Those that count only the clicks by people. */
const letterOfPeople = (name: Parameter) => letters[name].toUpperCase();
/**
 * Counts the item's clicks whose people are counted apart, in an attribute of its own: all but those from
 * before this attribute existed.
 */
const dividedAttribute = 'ap';

/** The day's item counts the clicks with a campaign in this attribute. */
export const campaignAttribute = 'utm';

/** A link's day has numbers for this many values of a parameter. All further ones count as `other`. */
export const maxValues = 20;

/** A value's number on a link's day, or `other` if it has none. */
export type ValueNumber = number | 'other';

/**
 * The attributes that a click with a campaign increments in the item of its day's campaigns: one for
 * each parameter, so that their sums are equal, and for a click by a person, one more for each value.
 */
export function chooseCounters(
  numbers: { [Name in Parameter]?: ValueNumber },
  isByPerson: boolean,
): string[] {
  const ofAll = campaignParameters.map((name) => counterOf(letters[name], numbers[name]));
  const ofPeople = campaignParameters.flatMap((name) =>
    isByPerson && numbers[name] !== undefined
      ? [counterOf(letterOfPeople(name), numbers[name])]
      : [],
  );
  return [...ofAll, ...ofPeople, dividedAttribute];
}

function counterOf(letter: string, number: ValueNumber | undefined): string {
  if (number === undefined) return `${letter}n`;
  if (number === 'other') return `${letter}o`;
  checkNumber(number);
  return `${letter}${number}`;
}

/** A day with more values would grow beyond 1 KB, and each of its clicks would cost more. */
function checkNumber(number: number): void {
  const isInRange = Number.isInteger(number) && number >= 0 && number < maxValues;
  invariant(isInRange, `a value's number from 0 to ${maxValues - 1}`, number);
}

/** Counts a click in the item of its day's campaigns. */
export function countCampaign(code: string, day: string, counters: string[]): Increment[] {
  const key = campaignKey(code, day);
  return counters.map((attribute) => ({ key, attribute, by: 1 }));
}

/** The attribute that holds the value with this number, in the item of a parameter's values. */
export function valueAttribute(number: number): string {
  checkNumber(number);
  return `v${number}`;
}

export const valueAttributes = Array.from({ length: maxValues }, (_, index) =>
  valueAttribute(index),
);

/** A parameter's values on a link's day, by their numbers. One that isn't a text has no name. */
export function readValues(item: Readonly<Record<string, unknown>> = {}): string[] {
  const last = valueAttributes.findLastIndex((attribute) => item[attribute] !== undefined);
  const taken = valueAttributes.slice(0, last + 1);
  return taken.map((attribute) => (typeof item[attribute] === 'string' ? item[attribute] : ''));
}

type StoredItem = Readonly<Record<string, unknown>>;

const numbers = Array.from({ length: maxValues }, (_, number) => number);
const ofValues = [...numbers, 'other' as const];
const parameterCounters = (name: Parameter) => [
  ...[...ofValues, undefined].map((number) => counterOf(letters[name], number)),
  ...ofValues.map((number) => counterOf(letterOfPeople(name), number)),
];
/** All attributes of the item of a day's campaigns, except its key. */
export const counterAttributes = [
  ...campaignParameters.flatMap(parameterCounters),
  dividedAttribute,
];

/** Otherwise, a counter's value is `o` or `n`. */
const isNumber = (value: string) => /^\d+$/.test(value);

/** What a parameter's counts on a link's day say. */
export interface CampaignSums {
  parameter: Parameter;
  /** The day's clicks with a campaign. Each has one value of the parameter, another one, or none. */
  clicks: number;
  sum: number;
  /** The numbers up to the highest one that was counted, and the values that are stored. */
  counted: number;
  stored: number;
}

/** Sums a parameter's clicks in the item of a day's campaigns, and finds the highest number there. */
export function sumCounters(item: StoredItem, name: Parameter) {
  const counters = listCounters(item, name);
  const ofNumbers = counters.filter(({ value }) => isNumber(value));
  return {
    sum: counters.reduce((sum, { count }) => sum + count, 0),
    counted: Math.max(0, ...ofNumbers.map(({ value }) => Number(value) + 1)),
  };
}

/** Whether a failure caused it, which must never happen: values are stored before they're counted. */
export function isUneven({ clicks, sum, counted, stored }: CampaignSums): boolean {
  return clicks !== sum || counted > stored;
}

/** The clicks of a day's campaigns with each value of a parameter: its number, `o` or `n`. */
function listCounters(item: StoredItem, name: Parameter): { value: string; count: number }[] {
  return Object.entries(item).flatMap(([attribute, count]) => {
    const value = attribute.slice(1);
    const isCounter = attribute.startsWith(letters[name]) && /^(\d+|[on])$/.test(value);
    return isCounter && typeof count === 'number' ? [{ value, count }] : [];
  });
}

/** A campaign's clicks. */
export interface CampaignValue {
  name: string;
  count: number;
  /** Those by people. */
  people: number;
  /** Those that may be by people or by bots, because they were counted before these were told apart. */
  undivided: number;
}

/** The clicks with a value on one day. If the day has older clicks, all but those by people are undivided. */
function divide(item: StoredItem, name: Parameter, value: string, count: number) {
  const people = Number(item[`${letterOfPeople(name)}${value}`] ?? 0);
  const isDivided = item[dividedAttribute] === sumCounters(item, name).sum;
  return { count, people, undivided: isDivided ? 0 : count - people };
}

/** Anyone can add values every day, so a response has the most frequent ones of a parameter. */
const maxListed = 1_000;

export type CampaignLists = { [Name in Parameter]?: CampaignValue[] };

/**
 * The clicks with each value, by parameter, the most frequent first. Beyond 1,000 values, the others' clicks
 * are in `other`. Parameters without any are absent. Takes the items of a link's days' campaigns and of their
 * values.
 */
export function listCampaigns(items: readonly StoredItem[]): CampaignLists {
  const bySortKey = new Map(items.map((item) => [item.SK, item]));
  return listByParameter((name) =>
    items.flatMap((item) => {
      const values = readValues(bySortKey.get(`${item.SK}#${name}`));
      return listCounters(item, name)
        .filter(({ value }) => value !== 'n')
        .map(({ value, count }) => ({
          name: (isNumber(value) && values[Number(value)]) || 'other',
          ...divide(item, name, value, count),
        }));
    }),
  );
}

/** The campaigns of several links together. */
export function mergeCampaigns(lists: readonly CampaignLists[]): CampaignLists {
  return listByParameter((name) => lists.flatMap((list) => list[name] ?? []));
}

function listByParameter(list: (name: Parameter) => CampaignValue[]): CampaignLists {
  const lists = campaignParameters.flatMap((name) => {
    const ranked = sumByName(list(name)).sort(byCount);
    const others = ranked.slice(maxListed).map((value) => ({ ...value, name: 'other' }));
    const values = sumByName([...ranked.slice(0, maxListed), ...others]).sort(byCount);
    return values.length > 0 ? [[name, values] as const] : [];
  });
  return Object.fromEntries(lists);
}

const byCount = (a: CampaignValue, b: CampaignValue) => b.count - a.count;

function sumByName(values: readonly CampaignValue[]): CampaignValue[] {
  const sums = new Map<string, CampaignValue>();
  for (const { name, count, people, undivided } of values) {
    const sum = sums.get(name) ?? { name, count: 0, people: 0, undivided: 0 };
    sum.count += count;
    sum.people += people;
    sum.undivided += undivided;
    sums.set(name, sum);
  }
  return [...sums.values()];
}
