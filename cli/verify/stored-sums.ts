import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { allDays } from '../../lib/links/storage/days.ts';
import { getLink } from '../../lib/links/storage/links.ts';
import { type Sums, sumDays, toSums } from '../../lib/overview/day-sums.ts';
import { readDaySums } from '../../lib/overview/link-sums.ts';
import { readStoredSums } from '../../lib/overview/stored-sums.ts';

/** A stored sum that no state of its days can have had. */
export interface WrongSum {
  code: string;
  from: string;
  to: string;
  stored: Sums;
  days: Sums;
}

/**
 * Compares a link's stored sums with its days, which are read later and only rise. So no sum may be higher, and
 * with as many clicks, as many are by people and by bots. Sums of a purged link whose code was taken again aren't
 * used, and expire.
 */
export async function findWrongSums(table: TableAccess, code: string): Promise<WrongSum[]> {
  const stored = (await readStoredSums(table, [code])).get(code);
  if (!stored) return [];
  const days = await readDaySums(table, code, allDays);
  // Read last: a purge marks the link before it deletes its days.
  const link = await getLink(table, code);
  if (link?.createdAt !== stored.createdAt) return [];
  const [first] = stored.days;
  const lastEarlier = days.findLast(({ date }) => first === undefined || date < first.date);
  const earlier = { from: allDays.from, to: lastEarlier?.date ?? allDays.from };
  const pairs = [
    { ...earlier, stored: stored.earlier, days: sumDays(days, earlier) },
    ...stored.days.map((day) => {
      const range = { from: day.date, to: day.date };
      return { ...range, stored: toSums(day), days: sumDays(days, range) };
    }),
  ];
  return pairs.filter(isWrong).map((pair) => ({ code, ...pair }));
}

function isWrong({ stored, days }: Pick<WrongSum, 'stored' | 'days'>): boolean {
  if (stored.clicks === days.clicks) {
    return stored.people !== days.people || stored.bots !== days.bots;
  }
  return stored.clicks > days.clicks || stored.people > days.people || stored.bots > days.bots;
}
