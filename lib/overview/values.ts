import pLimit from 'p-limit';
import { listBreakdowns, type Numbers } from '../clicks/breakdowns.ts';
import {
  type CampaignLists,
  campaignAttribute,
  listCampaigns,
  mergeCampaigns,
} from '../clicks/campaign-counters.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { queryCampaigns, queryDays } from '../links/storage/days.ts';
import type { DayRange, Sums } from './day-sums.ts';

/** The days of this many links are read, those with the most clicks in the range. */
export const maxLinksRead = 500;
const linksAtOnce = 20;

/** A link's clicks in the range. */
export interface RangedLink {
  code: string;
  sums: Sums;
}

/**
 * Reads a range's breakdowns and campaigns from the days of the links with the most clicks in it. Says how
 * many links and clicks are left out: those beyond {@link maxLinksRead}, and those that there was no time
 * for before the deadline, in epoch milliseconds.
 */
export async function readValues(
  table: TableAccess,
  links: readonly RangedLink[],
  range: DayRange,
  deadlineMs: number,
) {
  const numbers: Record<string, number> = {};
  const lists: CampaignLists[] = [];
  const unread = { links: 0, clicks: 0 };
  let clicks = 0;
  const read = async ({ code, sums }: RangedLink, index: number) => {
    if (index >= maxLinksRead || Date.now() >= deadlineMs) {
      unread.links += 1;
      unread.clicks += sums.clicks;
      return;
    }
    const days = await queryDays(table, code, range);
    for (const day of days) {
      clicks += day.count;
      addNumbers(numbers, day.numbers);
    }
    if (days.some((day) => day.numbers[campaignAttribute] !== undefined)) {
      lists.push(listCampaigns(await queryCampaigns(table, code, range)));
    }
  };
  const ranked = links
    .filter(({ sums }) => sums.clicks > 0)
    .sort((a, b) => b.sums.clicks - a.sums.clicks);
  await pLimit(linksAtOnce).map([...ranked.entries()], ([index, link]) => read(link, index));
  return { breakdowns: listBreakdowns(numbers, clicks), campaigns: mergeCampaigns(lists), unread };
}

function addNumbers(sums: Record<string, number>, numbers: Numbers): void {
  for (const [attribute, number] of Object.entries(numbers)) {
    sums[attribute] = (sums[attribute] ?? 0) + number;
  }
}
