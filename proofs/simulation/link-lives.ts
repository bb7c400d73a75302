import type { Item } from '../../fixtures/dynamodb-items.ts';
import { linkKey } from '../../lib/keys.ts';
import { type ItemStore, keyOf, textOf } from './dynamodb/item-store.ts';
import type { Surroundings } from './surroundings.ts';
import type { WorldPlan } from './world-plan.ts';

/** When producers send clicks of a deleted link: clicks of a minute after the deletion still count. */
const burstsAfterMs = [1_000, 70_000, 200_000];

interface Links extends Surroundings {
  items: ItemStore;
  /** Sends clicks of a link. */
  sendClicks: (code: string) => void;
}

/**
 * Deletes a link, and later restores it, or purges it and creates it again. The items change as
 * lib/links/ changes them. Its owner also edits it.
 */
export function live(
  { items, time, statistics, trace, sendClicks }: Links,
  code: string,
  { next, nextAfterMs }: WorldPlan['lives'][number],
): void {
  const { PK, SK } = linkKey(code);
  const key = { PK: { S: PK }, SK: { S: SK } };
  const now = () => ({ S: new Date(time.nowMs).toISOString() });
  const read = () => items.get(keyOf(key));
  const write = (what: string, item: Item) => {
    trace.note(() => `owner: ${code} is ${what}`);
    statistics.add(`links ${what}`);
    items.commit(new Map([[keyOf(key), { ...item, ...key }]]));
  };
  const link = read();
  if (!link || textOf(link, 'url') === '' || textOf(link, 'deletedAt') !== '') return;
  write('deleted', { ...link, deletedAt: now(), url: { S: 'https://example.com/edited' } });
  for (const afterMs of burstsAfterMs) time.after(afterMs, () => sendClicks(code));
  const deletedAt = textOf(read() ?? {}, 'deletedAt');
  if (next === 'restore') {
    time.after(nextAfterMs, () => {
      const { deletedAt: _, ...restored } = read() ?? {};
      write('restored', restored);
    });
  }
  if (next !== 'renew') return;
  time.after(nextAfterMs, () => {
    if (textOf(read() ?? {}, 'deletedAt') !== deletedAt) return;
    write('purged', { purgedAt: now(), since: { S: '9999' } });
    time.after(nextAfterMs, () => {
      items.remove((item) => textOf(item, 'PK') === PK && textOf(item, 'SK') !== SK);
      const url = { S: 'https://example.com' };
      write('renewed', { url, clicks: { N: '0' }, since: now() });
      sendClicks(code);
    });
  });
}
