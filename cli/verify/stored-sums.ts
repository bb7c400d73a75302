import { firstDay, lastDay } from '../../lib/days.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import type { DayCount } from '../../lib/links/api/answer-schemas.ts';
import { getLink } from '../../lib/links/storage/links.ts';
import { type Sums, sumDays, toSums } from '../../lib/overview/day-sums.ts';
import { readDaySums } from '../../lib/overview/link-sums.ts';
import { type LinkSums, readStoredSums } from '../../lib/overview/stored-sums.ts';

/** A stored sum that no state of its days can have had. */
export interface WrongSum {
  from: string;
  to: string;
  stored: Sums;
  days: Sums;
}

/**
 * Compares a link's stored sums with its days. Sums of a purged link whose code was taken again aren't used, and
 * expire.
 */
export async function findWrongSums(table: TableAccess, code: string): Promise<WrongSum[]> {
  const stored = (await readStoredSums(table, [code])).get(code);
  if (!stored) return [];
  const days = await readDaySums(table, code, { from: firstDay, to: lastDay });
  // Read last: a purge marks the link before it deletes its days.
  const link = await getLink(table, code);
  return link?.createdAt === stored.createdAt ? compareSums(stored, days) : [];
}

/**
 * Finds the sums that are wrong. The days are the newer ones, and only rise. So no sum may be higher, and with as
 * many clicks, as many are by people and by bots.
 */
export function compareSums(stored: LinkSums, days: readonly DayCount[]): WrongSum[] {
  const [first] = stored.days;
  const lastEarlier = days.findLast(({ date }) => first === undefined || date < first.date);
  const earlier = { from: firstDay, to: lastEarlier?.date ?? firstDay };
  const pairs = [
    { ...earlier, stored: stored.earlier, days: sumDays(days, earlier) },
    ...stored.days.map((day) => {
      const range = { from: day.date, to: day.date };
      return { ...range, stored: toSums(day), days: sumDays(days, range) };
    }),
  ];
  return pairs.filter(isWrong);
}

function isWrong({ stored, days }: WrongSum): boolean {
  if (stored.clicks === days.clicks) {
    return stored.people !== days.people || stored.bots !== days.bots;
  }
  return stored.clicks > days.clicks || stored.people > days.people || stored.bots > days.bots;
}
