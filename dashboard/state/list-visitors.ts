import { signal } from '@preact/signals';
import { addDays } from '../days.ts';
import { today } from './browser.ts';
import type { Overview } from './overview.ts';
import { api } from './services.ts';

const days = 30;
/** A click's visitors are read soon enough. */
const restMs = 60_000;

interface ListVisitors extends Pick<Overview, 'unreadVisitors' | 'visitorsSince'> {
  byCode: ReadonlyMap<string, number>;
}

/** The visitors of each link in the last 30 days, with today; undefined until they're read. */
export const listVisitors = signal<ListVisitors>();

let readAtMs = Number.NEGATIVE_INFINITY;

/** Reads the visitors of all links, a minute after the last read at the earliest. */
export async function loadListVisitors(): Promise<void> {
  if (Date.now() < readAtMs + restMs) return;
  readAtMs = Date.now();
  const to = today.peek();
  const range = { from: addDays(to, 1 - days), to };
  // The list says why it isn't updated.
  const read = await api.readOverview({ ...range, visitors: 'true' }).catch(() => undefined);
  if (!read) return;
  const known = read.links.map(({ code, visitors = 0 }): [string, number] => [code, visitors]);
  listVisitors.value = { ...read, byCode: new Map(known) };
}
