import { type Entry, groupByItem } from '../../lib/idempotency/entry.ts';

/** An entry of one account's counter and one day's, as two increments that may be shared. */
export function makeEntry(id: string, account = 'a', changes: Partial<Entry> = {}): Entry {
  return {
    idempotencyKey: `ORDER#${id}`,
    payloadHash: 'hash',
    marker: { PK: { S: `ORDER#${id}` }, SK: { S: 'ORDER' }, ttl: { N: '2000000000' } },
    updates: groupByItem([
      { key: { PK: account, SK: 'TOTAL' }, attribute: 'orders', by: 1, mustExist: true },
      { key: { PK: account, SK: 'DAY' }, attribute: 'orders', by: 1 },
    ]),
    deadlineMs: Date.now() + 60_000,
    ...changes,
  };
}

/** `count` entries of one account. */
export function makeEntries(count: number, account = 'a'): Entry[] {
  return Array.from({ length: count }, (_, index) => makeEntry(`${account}-${index}`, account));
}
