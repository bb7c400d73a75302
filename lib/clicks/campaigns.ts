import type { Increment } from 'powertools-idempotency-transactional';
import { spellTag } from '../clean-text.ts';
import { campaignKey } from '../keys.ts';
import { listUtmParameters } from './spoiled-query.ts';

/** The attributes for the values of each parameter begin with its letter. Never change or reuse one. */
const letters = { utm_source: 's', utm_medium: 'm', utm_campaign: 'c' } as const;
type Parameter = keyof typeof letters;
export const campaignParameters = Object.keys(letters) as Parameter[];

/** The campaign of a visit: the parameters that it has. */
export type Campaign = { [Name in Parameter]?: string };

/** A link's day has at most this many values of a parameter. Its other clicks count as `other`. */
export const maxValues = 20;
const maxValueBytes = 40;
const maxReadCharacters = 500;

/** Reads the campaign from a query. Of a parameter that comes twice, the first with a value counts. */
export function readCampaign(query = ''): Campaign {
  const sent = listUtmParameters(query).map(([name, value]) => ({
    name,
    value: spellValue(value),
  }));
  return Object.fromEntries(
    campaignParameters.flatMap((name) => {
      const first = sent.find((parameter) => parameter.name === name && parameter.value !== '');
      return first ? [[name, first.value]] : [];
    }),
  );
}

/** In lower case, without control and invisible characters, and at most 40 bytes long. */
function spellValue(value: unknown): string {
  if (typeof value !== 'string') return '';
  let spelled = '';
  let bytes = 0;
  for (const character of spellTag(value.slice(0, maxReadCharacters))) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxValueBytes) break;
    spelled += character;
  }
  return spelled.trimEnd();
}

/** The attributes that a click increments in the item of its day's campaigns. */
export function chooseCampaigns(detail: Readonly<Record<string, unknown>>): string[] {
  return campaignParameters.flatMap((name) => {
    const value = spellValue(detail[name]);
    return value === '' ? [] : [`${letters[name]}=${value}`];
  });
}

/** Counts clicks' values. A set of each parameter's values bounds their number. */
export function countCampaigns(code: string, day: string, attributes: string[]): Increment[] {
  const key = campaignKey(code, day);
  return attributes.map((attribute) => {
    const [letter = '', value] = attribute.split('=', 2);
    const memberOf = { set: letter.toUpperCase(), most: maxValues };
    return { key, attribute, by: 1, ...(value !== undefined && { memberOf }) };
  });
}

/** The same with `other` instead of these attributes. */
export function replaceByOther(attributes: string[], refused: readonly string[]): string[] {
  return attributes.map((each) => (refused.includes(each) ? each.charAt(0) : each));
}

/** Anyone can add values every day, so a response has the most frequent ones of a parameter. */
const maxListed = 1_000;

/**
 * The clicks with each value, by parameter, the most frequent first. Beyond 1,000 values, the others' clicks
 * are in `other`. Parameters without any are absent.
 */
export function listCampaigns(days: readonly Readonly<Record<string, unknown>>[]) {
  const lists = campaignParameters.flatMap((name) => {
    const sums = new Map<string, number>();
    for (const [attribute, count] of days.flatMap((day) => Object.entries(day))) {
      if (typeof count !== 'number' || !/^.(=|$)/.test(attribute)) continue;
      if (!attribute.startsWith(letters[name])) continue;
      const value = attribute.slice(2) || 'other';
      sums.set(value, (sums.get(value) ?? 0) + count);
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
