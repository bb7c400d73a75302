import { getAtOnce } from '../../lib/dynamodb/requests.ts';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import { dayKey, linkKey, visitorsKey } from '../../lib/keys.ts';
import { visitorsOf } from '../../lib/links/storage/days.ts';
import { type Drift, unreadableVisitors, visitorsDrift } from './drifts.ts';
import { countStored, type LinkDay } from './scanned-counts.ts';

/**
 * Reads a day's visitors and clicks by people as they were at one instant, and returns what's wrong. A purged
 * link has none. Undefined if a commit was in flight.
 */
export async function confirmVisitors(
  table: TableAccess,
  linkDay: LinkDay,
): Promise<Drift[] | undefined> {
  const { code, day } = linkDay;
  const keys = [linkKey(code), dayKey(code, day), visitorsKey(code, day)];
  const items = await getAtOnce(table, keys);
  if (!items) return undefined;
  const [link, counts = {}, visitors] = items;
  if (link?.purgedAt || !visitors) return [];
  const { people } = visitorsOf(counts);
  const least = countStored(visitors.sketch);
  if (least === Number.POSITIVE_INFINITY) return [unreadableVisitors(linkDay)];
  return least > people ? [visitorsDrift(linkDay, people, least)] : [];
}
