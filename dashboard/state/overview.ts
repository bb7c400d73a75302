import { signal } from '@preact/signals';
import type { OverviewAnswer } from '../../lib/overview/overview-schemas.ts';
import { daysOf, formatFilter, type OverviewQuery } from '../overview-query.ts';
import { today } from './browser.ts';
import { explain, type Problem } from './problems.ts';
import { api } from './services.ts';

export type Overview = OverviewAnswer;
/** Each read continues the one before it. 5,000 links that nobody has looked at take about ten. */
const maxReads = 40;

/** The overview of the newest query; undefined while it's being read. Its visitors follow later. */
export const overview = signal<Overview>();
/** The breakdowns and campaigns, which take longer. */
export const overviewValues = signal<Overview['values']>();
export const overviewProblem = signal<Problem>();

/** Whether all clicks with a value are by people or by bots. Without a filter, those that aren't are shown apart. */
export function tellsPeople(
  filter: OverviewQuery['filter'],
  ...sums: readonly Pick<Overview, 'clicks' | 'people' | 'bots'>[]
): boolean {
  return !filter || sums.every(({ clicks, people, bots }) => clicks === people + bots);
}

/** The parameters of the API for a query. */
export function toParameters({ range, compare, filter, ...choice }: OverviewQuery) {
  const days = daysOf(range, today.peek());
  const given = { ...days, ...choice, filter: filter && formatFilter(filter) };
  return compare === 'none' ? given : { ...given, compare };
}

let newest = 0;

/** Reads an overview. Nothing of an earlier one stays. Returns a function that abandons it. */
export function loadOverview(query: OverviewQuery): () => void {
  newest += 1;
  const request = newest;
  overview.value = undefined;
  overviewValues.value = undefined;
  overviewProblem.value = undefined;
  const isCurrent = () => request === newest;
  read(query, isCurrent).catch((error) => {
    if (isCurrent()) overviewProblem.value = explain(error);
  });
  return () => {
    if (isCurrent()) newest += 1;
  };
}

async function read(query: OverviewQuery, isCurrent: () => boolean): Promise<void> {
  const parameters = toParameters(query);
  const readSums = async (visitors?: 'true') => {
    for (let reads = 0; reads < maxReads; reads += 1) {
      const partial = reads === 0 && !visitors ? 'true' : undefined;
      const before = overview.peek()?.unread;
      const answer = await api.readOverview({ ...parameters, partial, visitors });
      if (!isCurrent()) return;
      overview.value = answer;
      if (answer.oldLinks === 0 && isRead(answer.unread, before)) return;
    }
  };
  const readValues = async () => {
    for (let reads = 0; reads < maxReads; reads += 1) {
      const before = overviewValues.peek()?.unread;
      const { values } = await api.readOverview({ ...parameters, values: 'true' });
      if (!isCurrent()) return;
      overviewValues.value = values;
      if (isRead(values?.unread, before)) return;
    }
  };
  await readSums();
  // Of a part of the clicks, nothing else is known.
  if (isCurrent() && !query.filter) await Promise.all([readValues(), readSums('true')]);
}

/** Whether another request would read no more. An overview doesn't read the days of all links. */
function isRead(unread?: { links: number }, before?: { links: number }): boolean {
  return !unread || unread.links === 0 || unread.links === before?.links;
}
