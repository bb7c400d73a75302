import type { Increment } from 'powertools-idempotency-transactional';
import { campaignKey } from '../keys.ts';
import { campaignParameters, type Parameter } from './campaign.ts';

/** The attributes that count a parameter's values begin with its letter. Never change or reuse one. */
const letters = { utm_source: 's', utm_medium: 'm', utm_campaign: 'c' } as const satisfies Record<
  Parameter,
  string
>;

/** The day's item counts the clicks with a campaign in this attribute. */
export const campaignAttribute = 'utm';

/** A link's day has numbers for this many values of a parameter. All further ones count as `other`. */
export const maxValues = 20;

/** A value's number on a link's day, or `other` if it has none. */
export type ValueNumber = number | 'other';

/**
 * The attributes that a click with a campaign increments in the item of its day's campaigns: one for
 * each parameter, so that their sums are equal.
 */
export function chooseCounters(numbers: { [Name in Parameter]?: ValueNumber }): string[] {
  return campaignParameters.map((name) => counterOf(name, numbers[name]));
}

function counterOf(name: Parameter, number: ValueNumber | undefined): string {
  if (number === undefined) return `${letters[name]}n`;
  return number === 'other' ? `${letters[name]}o` : `${letters[name]}${number}`;
}

/** Counts a click in the item of its day's campaigns. */
export function countCampaign(code: string, day: string, counters: string[]): Increment[] {
  const key = campaignKey(code, day);
  return counters.map((attribute) => ({ key, attribute, by: 1 }));
}

/** The attribute that holds the value with this number, in the item of a parameter's values. */
export function valueAttribute(number: number): string {
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
const parameterCounters = (name: Parameter) =>
  [...numbers, 'other' as const, undefined].map((number) => counterOf(name, number));
/** All attributes of the item of a day's campaigns, except its key. */
export const counterAttributes = campaignParameters.flatMap(parameterCounters);

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
  return {
    sum: counters.reduce((sum, { count }) => sum + count, 0),
    counted: Math.max(0, ...counters.map(({ value }) => Number(value) + 1 || 0)),
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

/** Anyone can add values every day, so a response has the most frequent ones of a parameter. */
const maxListed = 1_000;

/**
 * The clicks with each value, by parameter, the most frequent first. Beyond 1,000 values, the others' clicks
 * are in `other`. Parameters without any are absent. Takes the items of days' campaigns and of their values.
 */
export function listCampaigns(items: readonly StoredItem[]) {
  const bySortKey = new Map(items.map((item) => [item.SK, item]));
  const lists = campaignParameters.flatMap((name) => {
    const sums = new Map<string, number>();
    for (const item of items) {
      const values = readValues(bySortKey.get(`${item.SK}#${name}`));
      for (const { value, count } of listCounters(item, name)) {
        if (value === 'n') continue;
        const text = values[Number(value)] || 'other';
        sums.set(text, (sums.get(text) ?? 0) + count);
      }
    }
    const ranked = [...sums].sort(([, a], [, b]) => b - a);
    const listed = new Map(ranked.slice(0, maxListed));
    for (const [, count] of ranked.slice(maxListed)) {
      listed.set('other', (listed.get('other') ?? 0) + count);
    }
    const values = [...listed].map(([value, count]) => ({ name: value, count }));
    return values.length > 0 ? [[name, values.sort((a, b) => b.count - a.count)] as const] : [];
  });
  return Object.fromEntries(lists) as { [Name in Parameter]?: { name: string; count: number }[] };
}
