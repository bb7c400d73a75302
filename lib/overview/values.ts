import { listBreakdowns, type Numbers } from '../clicks/breakdowns.ts';
import {
  type CampaignLists,
  campaignAttribute,
  listCampaigns,
  mergeCampaigns,
} from '../clicks/campaign-counters.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { queryCampaigns, queryDays } from '../links/storage/days.ts';
import { readMostClicked } from './bounded-reads.ts';
import type { DayRange, Sums } from './day-sums.ts';

/** A link's clicks in the range. */
export interface RangedLink {
  code: string;
  sums: Sums;
}

/**
 * Reads a range's breakdowns and campaigns from the days of the links with the most clicks in it. Says how
 * many links and clicks are left out, as {@link readMostClicked} does.
 */
export async function readValues(
  table: TableAccess,
  links: readonly RangedLink[],
  range: DayRange,
  deadlineMs: number,
) {
  const numbers: Record<string, number> = {};
  const lists: CampaignLists[] = [];
  let clicks = 0;
  const unread = await readMostClicked(links, deadlineMs, async ({ code }) => {
    const days = await queryDays(table, code, range);
    for (const day of days) {
      clicks += day.count;
      addNumbers(numbers, day.numbers);
    }
    if (days.some((day) => day.numbers[campaignAttribute] !== undefined)) {
      lists.push(listCampaigns(await queryCampaigns(table, code, range)));
    }
  });
  return { breakdowns: listBreakdowns(numbers, clicks), campaigns: mergeCampaigns(lists), unread };
}

function addNumbers(sums: Record<string, number>, numbers: Numbers): void {
  for (const [attribute, number] of Object.entries(numbers)) {
    sums[attribute] = (sums[attribute] ?? 0) + number;
  }
}
