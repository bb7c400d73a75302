import { listBreakdowns, type Numbers } from '../clicks/breakdowns.ts';
import {
  type CampaignLists,
  campaignAttribute,
  listCampaigns,
  mergeCampaigns,
} from '../clicks/campaign-counters.ts';
import type { TableAccess } from '../dynamodb/table.ts';
import { queryCampaigns, queryDays, sumNumbers } from '../links/storage/days.ts';
import { createBoundedReads, type RangedLink } from './bounded-reads.ts';
import type { DayRange } from './day-sums.ts';

/** What a link's days have. */
interface LinkValues {
  clicks: number;
  numbers: Numbers;
  campaigns?: CampaignLists;
}

export type BreakdownValues = Awaited<ReturnType<typeof readBreakdownValues>>;

const readBounded = createBoundedReads<LinkValues>();

/**
 * Reads a range's breakdowns and campaigns from the days of the links with the most clicks in it. Says how
 * many links and clicks are left out, as {@link createBoundedReads} does.
 */
export async function readBreakdownValues(
  table: TableAccess,
  links: readonly RangedLink[],
  range: DayRange,
  deadlineMs: number,
) {
  const { from, to } = range;
  const { done, unread } = await readBounded(links, [from, to], deadlineMs, ({ code }) =>
    readLinkValues(table, code, { from, to }),
  );
  const numbers = sumNumbers(done.map(({ read }) => read.numbers));
  const clicks = done.reduce((sum, { read }) => sum + read.clicks, 0);
  const campaigns = mergeCampaigns(done.flatMap(({ read }) => read.campaigns ?? []));
  return { breakdowns: listBreakdowns(numbers, clicks), campaigns, unread };
}

async function readLinkValues(
  table: TableAccess,
  code: string,
  range: DayRange,
): Promise<LinkValues> {
  const days = await queryDays(table, code, range);
  const numbers = sumNumbers(days.map((day) => day.numbers));
  const clicks = days.reduce((sum, { count }) => sum + count, 0);
  if (numbers[campaignAttribute] === undefined) return { clicks, numbers };
  return { clicks, numbers, campaigns: listCampaigns(await queryCampaigns(table, code, range)) };
}
