import * as z from 'zod/mini';
import { breakdowns, listBreakdowns } from '../clicks/breakdowns.ts';
import { campaignParameters, type Parameter } from '../clicks/campaign.ts';
import { listCampaigns } from '../clicks/campaign-counters.ts';
import { divideValue } from '../clicks/undivided.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { campaignKey } from '../keys.ts';
import type { DayCount } from '../links/api/answer-schemas.ts';
import { type Day, queryCampaigns, queryDays } from '../links/storage/days.ts';
import type { DayRange } from './day-sums.ts';

const maxLength = 200;
const names = [
  ...breakdowns.filter((breakdown) => 'classify' in breakdown).map(({ name }) => name),
  ...campaignParameters,
];
const expected = `one of ${names.join(', ')}, a colon and a value, such as country:DE`;

/** A value of a breakdown or of a campaign's parameter, written as country:DE. */
export const filterSchema = z.string().check(
  z.maxLength(maxLength, { error: `at most ${maxLength} characters`, abort: true }),
  z.refine((filter) => isFilter(splitFilter(filter)), expected),
);

interface Filter {
  name: string;
  value: string;
}

/** A value may have colons. */
function splitFilter(filter: string): Filter {
  const [name = ''] = filter.split(':', 1);
  return { name, value: filter.slice(name.length + 1) };
}

function isFilter({ name, value }: Filter): boolean {
  return names.includes(name) && value !== '';
}

/**
 * Reads the clicks with a value on each of a link's days. Those of a day are neither by people nor by bots if
 * the breakdown or the day doesn't tell these apart.
 */
export async function readFilteredDays(
  table: TableAccess,
  code: string,
  range: DayRange,
  filter: string,
): Promise<DayCount[]> {
  const { name, value } = splitFilter(filter);
  const days = isParameter(name)
    ? listCampaignDays(await queryCampaigns(table, code, range), name, value)
    : (await queryDays(table, code, range)).map((day) => countValue(day, name, value));
  return days.filter(({ count }) => count > 0);
}

function isParameter(name: string): name is Parameter {
  return campaignParameters.some((parameter) => parameter === name);
}

function countValue({ date, count, numbers }: Day, name: string, value: string): DayCount {
  const listed = listBreakdowns(numbers, count);
  const found = listed[name]?.find((each) => each.name === value) ?? { name: value, count: 0 };
  const visitors = divideValue(listed, name, found) ?? { people: 0, bots: 0 };
  return { date, count: found.count, ...visitors };
}

type CampaignItem = Awaited<ReturnType<typeof queryCampaigns>>[number];

/** A day's campaigns and their values have sort keys that begin with the same day. */
function listCampaignDays(
  items: readonly CampaignItem[],
  name: Parameter,
  value: string,
): DayCount[] {
  const beforeDay = campaignKey('', '').SK.length;
  const dayOf = ({ SK }: CampaignItem) => `${SK}`.slice(beforeDay, beforeDay + 'yyyy-mm-dd'.length);
  return [...Map.groupBy(items, dayOf)].map(([date, ofDay]) => {
    const found = listCampaigns(ofDay)[name]?.find((each) => each.name === value);
    const { count, people, undivided } = found ?? { count: 0, people: 0, undivided: 0 };
    return { date, count, people, bots: count - people - undivided };
  });
}
