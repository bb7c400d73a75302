import { commitWrites, queryRange } from '../dynamodb/requests.ts';
import type { TableAccess, TransactionalTable } from '../dynamodb/table.ts';
import { connectionKey, watchKey } from '../keys.ts';
import { visitorsOf } from '../links/storage/days.ts';
import { getLinks, isReadableBy, type Link } from '../links/storage/links.ts';
import { ClientMessageError } from './client-messages.ts';
import type { Connection } from './connections.ts';
import type { WatchingMessage } from './messages.ts';

const maxWatched = 100;

interface Watcher {
  connectionId: string;
  /** Its user's `sub`. */
  owner: string;
  /** When it ends, in epoch seconds. */
  ttl: number;
}

/**
 * Lets a connection watch its owner's links. The watches are written before the totals are read, so
 * every later click is either in a total or pushed. Returns undefined if the connection has ended.
 * Throws {@link ClientMessageError} if it would watch too many links.
 */
export async function watchLinks(
  table: TransactionalTable,
  connection: Connection & { id: string },
  codes: string[],
): Promise<WatchingMessage | undefined> {
  const found = await getLinks(table, codes);
  const isOwn = (link: Link | undefined) => link && isReadableBy(connection.owner, link);
  const own = codes.filter((code) => isOwn(found.get(code)));
  const rejected = codes.filter((code) => !own.includes(code));
  if (own.length === 0) return { type: 'watching', links: [], refused: rejected };
  if (!(await addWatches(table, connection, own))) return undefined;
  const links = await getLinks(table, own);
  return {
    type: 'watching',
    links: own.map((code) => {
      const { clicks, ...link }: Partial<Link> = links.get(code) ?? {};
      return { code, clicks: clicks ?? 0, ...visitorsOf(link) };
    }),
    refused: rejected,
  };
}

/** Ends watches. Missing ones are ignored. */
export async function unwatchLinks(
  table: TransactionalTable,
  id: string,
  codes: string[],
): Promise<void> {
  const Update = {
    Key: connectionKey(id),
    UpdateExpression: 'DELETE codes :codes',
    // Without this condition, the update would recreate the item of a closed connection.
    ConditionExpression: 'attribute_exists(PK)',
    ExpressionAttributeValues: { ':codes': new Set(codes) },
  };
  const deletes = codes.map((code) => ({ Delete: { Key: watchKey(code, id) } }));
  await commitWrites(table, [{ Update }, ...deletes]);
}

/**
 * Finds the connections that watch a link. They are its owner's, who may have only a few. A watch that
 * has already been answered with a total isn't missed.
 */
export async function findWatchers(table: TableAccess, code: string): Promise<Watcher[]> {
  const first = watchKey(code, '');
  // An id has letters, digits, "+", "/", "=", "-" and "_", which sort before "~".
  const pages = await Array.fromAsync(queryRange(table, first, watchKey(code, '~')));
  return pages
    .flat()
    .map(({ SK, owner, ttl }) => ({ connectionId: SK.slice(first.SK.length), owner, ttl }));
}

/** Adds the watches in one transaction. Returns false if the connection has ended. */
async function addWatches(
  table: TransactionalTable,
  { id, owner, ttl, codes: watched = new Set() }: Connection & { id: string },
  codes: string[],
): Promise<boolean> {
  const added = codes.filter((code) => !watched.has(code));
  const Update = {
    Key: connectionKey(id),
    UpdateExpression: 'ADD codes :codes',
    ConditionExpression:
      'attribute_exists(PK) AND (attribute_not_exists(codes) OR size(codes) <= :most)',
    ExpressionAttributeValues: { ':codes': new Set(codes), ':most': maxWatched - added.length },
  };
  const puts = codes.map((code) => ({
    Put: { Item: { ...watchKey(code, id), owner, ttl } },
  }));
  const rejection = await commitWrites(table, [{ Update }, ...puts]);
  if (!rejection) return true;
  if (!rejection.item) return false;
  const { codes: present = new Set() } = rejection.item as Connection;
  // A concurrent message of this connection may have added them.
  if (codes.every((code) => present.has(code))) return true;
  throw new ClientMessageError(
    `expected at most ${maxWatched} watched links; the connection watches ${present.size}, ` +
      `and ${added.length} more were requested. Unwatch some first.`,
  );
}
