import { campaignParameters } from '../../clicks/campaign.ts';
import {
  type CampaignSums,
  campaignAttribute,
  isUneven,
  readValues,
  sumCounters,
} from '../../clicks/campaign-counters.ts';
import { getAtOnce } from '../../dynamodb/requests.ts';
import type { TableAccess } from '../../dynamodb/table.ts';
import { campaignKey, campaignValuesKey, dayKey, linkKey } from '../../keys.ts';
import type { Day } from './days.ts';

type Item = Readonly<Record<string, unknown>>;

/** A day whose campaigns don't match its count of them, or each other. */
export interface UnevenCampaigns {
  date: string;
  uneven: CampaignSums[];
}

/** Finds such days among items that weren't read at one instant, so a click may be in some of them. */
export function findUnevenCampaigns(
  days: readonly Day[],
  stored: readonly Item[],
): UnevenCampaigns[] {
  const items = new Map(stored.map((item) => [item.SK, item]));
  const clicks = new Map(days.map(({ date, numbers }) => [date, numbers[campaignAttribute] ?? 0]));
  const dates = new Set([...clicks.keys(), ...stored.map(({ SK }) => `${SK}`.split('#')[1] ?? '')]);
  return [...dates].flatMap((date) => {
    const uneven = sumUp(date, clicks.get(date) ?? 0, items).filter(isUneven);
    return uneven.length > 0 ? [{ date, uneven }] : [];
  });
}

/**
 * Reads a day's campaigns as they were at one instant, and finds the uneven ones. A purged link has none.
 * Undefined if a commit was in flight.
 */
export async function confirmCampaigns(
  table: TableAccess,
  code: string,
  date: string,
): Promise<CampaignSums[] | undefined> {
  const values = campaignParameters.map((name) => campaignValuesKey(code, date, name));
  const keys = [linkKey(code), dayKey(code, date), campaignKey(code, date), ...values];
  const read = await getAtOnce(table, keys);
  if (!read) return undefined;
  const [link, day] = read;
  if (link?.purgedAt) return [];
  const items = new Map(keys.map(({ SK }, index) => [SK, read[index]]));
  return sumUp(date, Number(day?.[campaignAttribute] ?? 0), items).filter(isUneven);
}

function sumUp(
  date: string,
  clicks: number,
  items: ReadonlyMap<unknown, Item | undefined>,
): CampaignSums[] {
  const counters = items.get(campaignKey('', date).SK) ?? {};
  return campaignParameters.map((parameter) => ({
    parameter,
    clicks,
    ...sumCounters(counters, parameter),
    stored: readValues(items.get(campaignValuesKey('', date, parameter).SK)).length,
  }));
}
