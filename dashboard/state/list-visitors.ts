import { signal } from '@preact/signals';
import { addDays } from '../../lib/days.ts';
import { today } from './browser.ts';
import type { Overview } from './overview.ts';
import { api } from './services.ts';

export const listVisitorsDays = 30;
const restMs = 60_000;

interface ListVisitors extends Pick<Overview, 'visitors' | 'visitorsSince' | 'unreadVisitors'> {
  /** Of the links with clicks. Undefined if they aren't known. */
  byCode: ReadonlyMap<string, number | undefined>;
}

/** The visitors of each link in the last 30 days, with today; undefined until they're read. */
export const listVisitors = signal<ListVisitors>();

/** A link's visitors in the last 30 days. Undefined if they aren't known. */
export function recentVisitorsOf(code: string): number | undefined {
  const known = listVisitors.value;
  if (known?.visitors === undefined) return undefined;
  return known.byCode.has(code) ? known.byCode.get(code) : 0;
}

let readAtMs = Number.NEGATIVE_INFINITY;

/** Reads the visitors of all links, a minute after the last read at the earliest. */
export async function loadListVisitors(): Promise<void> {
  if (Date.now() < readAtMs + restMs) return;
  readAtMs = Date.now();
  const to = today.peek();
  const range = { from: addDays(to, 1 - listVisitorsDays), to };
  try {
    const { links, ...read } = await api.readOverview({ ...range, visitors: 'true' });
    const byCode = new Map(links.map(({ code, visitors }) => [code, visitors]));
    listVisitors.value = { ...read, byCode };
  } catch {
    // The list says if the service fails. Its next read tries this again.
    readAtMs = Number.NEGATIVE_INFINITY;
  }
}
