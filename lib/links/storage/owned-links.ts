import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { chunk } from '../../chunk.ts';
import { batchGetItems, type Key } from '../../dynamodb/requests.ts';
import type { TableAccess } from '../../dynamodb/table.ts';
import { invariant } from '../../invariant.ts';
import { dayKey, deletedOwner, isCode, linkKey, ownerIndexName } from '../../keys.ts';
import { type Day, toDay } from './days.ts';
import { getLink, type Link } from './links.ts';

export function encodeCursor(code: string): string {
  return Buffer.from(code).toString('base64url');
}

/**
 * The code that a cursor points to. Undefined unless the cursor is spelled as {@link encodeCursor}
 * does.
 */
function decodeCursor(cursor: string): string | undefined {
  const code = Buffer.from(cursor, 'base64url').toString();
  return isCode(code) && encodeCursor(code) === cursor ? code : undefined;
}

export interface OwnedLink extends Link {
  code: string;
}

/** A link with its clicks on one day. */
export interface ListedLink extends OwnedLink {
  day: Day;
}

interface Page<Described> {
  links: Described[];
  /** Points to the last link, if there are more. */
  cursor?: string;
}

interface PageQuery<Described> {
  limit: number;
  cursor?: string;
  /** A UTC day. */
  date: string;
  /** Makes what the page has of a link, in the size of its JSON. */
  describe: (link: ListedLink) => Described;
}

/** A batch has at most 100 items: each link's own item and its day. */
const linksPerBatch = 50;
const batchesAtOnce = 5;
/** A link with the longest texts takes 6 kB, and Lambda's limit for a response is 6 MB. */
export const maxPageBytes = 1_000_000;

/**
 * Lists an owner's links after the cursor, newest first, each with its clicks on a UTC day. A page has up
 * to `limit` links and {@link maxPageBytes} of JSON. Costs two consistent reads a link, so an owner sees
 * each change and creation at once. The index may lack links created a moment ago. Undefined if the cursor
 * doesn't point to one of this owner's links.
 */
export async function listLinks<Described>(
  table: TableAccess,
  owner: string,
  { limit, cursor, date, describe }: PageQuery<Described>,
): Promise<Page<Described> | undefined> {
  let start: Key | undefined;
  if (cursor !== undefined) start = await findStart(table, owner, cursor);
  if (cursor !== undefined && !start) return undefined;
  for (;;) {
    const found = await queryIndex(table, owner, limit + 1, start);
    const listed = found.slice(0, limit);
    const links = readOwnLinks(table, owner, listed.map(toCode), date);
    const { last, isFull, ...page } = await fillPage(links, describe);
    if (!isFull && found.length <= limit) return page;
    if (last !== undefined) return { ...page, cursor: encodeCursor(last) };
    // The index still has these links, which aren't the owner's any more. Others may follow.
    start = listed.at(-1);
  }
}

/** Takes links until a page is full. `last` is the code of the last one. */
async function fillPage<Described>(
  links: AsyncIterable<ListedLink>,
  describe: (link: ListedLink) => Described,
) {
  const page: Described[] = [];
  let last: string | undefined;
  let bytes = 0;
  for await (const link of links) {
    const described = describe(link);
    const linkBytes = Buffer.byteLength(`${JSON.stringify(described)},`);
    // Its page would end without a cursor, and hide all later links.
    invariant(linkBytes <= maxPageBytes, `a link of at most ${maxPageBytes} bytes`, linkBytes);
    bytes += linkBytes;
    if (bytes > maxPageBytes) return { links: page, last, isFull: true };
    page.push(described);
    last = link.code;
  }
  return { links: page, last, isFull: false };
}

/** Reads those of the links that are the owner's, in the order of their codes. */
async function* readOwnLinks(
  table: TableAccess,
  owner: string,
  codes: string[],
  date: string,
): AsyncGenerator<ListedLink> {
  for (const some of chunk(codes, batchesAtOnce * linksPerBatch)) {
    for (const link of await readLinks(table, some, date)) {
      // The index may still have a link that was deleted or changed its owner.
      if (link.owner === owner) yield link;
    }
  }
}

/** Reads up to 250 links in the order of their codes. Missing ones are left out. */
async function readLinks(table: TableAccess, codes: string[], date: string): Promise<ListedLink[]> {
  const batches = chunk(codes, linksPerBatch);
  const read = await Promise.all(batches.map((some) => readBatch(table, some, date)));
  return read.flat();
}

async function readBatch(table: TableAccess, codes: string[], date: string): Promise<ListedLink[]> {
  const keys = codes.flatMap((code) => [linkKey(code), dayKey(code, date)]);
  const items = await batchGetItems(table, keys);
  const byKey = new Map(items.map((item) => [item.PK + item.SK, item]));
  const find = ({ PK, SK }: Key) => byKey.get(PK + SK);
  return codes.flatMap((code) => {
    const link = find(linkKey(code)) as Link | undefined;
    const stored = find(dayKey(code, date));
    const day = stored ? toDay(stored as Key) : { date, count: 0, numbers: {} };
    return link ? [{ ...link, code, day }] : [];
  });
}

/** The index key of the link that a cursor points to. Undefined if it isn't one of the owner's. */
async function findStart(table: TableAccess, owner: string, cursor: string) {
  const code = decodeCursor(cursor);
  if (code === undefined) return undefined;
  const link = await getLink(table, code);
  // Since that response, the link may have been deleted or restored.
  const plain = owner.replace(deletedOwner(''), '');
  if (link?.owner !== plain && link?.owner !== deletedOwner(plain)) return undefined;
  return { ...linkKey(code), owner, createdAt: link.createdAt };
}

/** Reads an owner's items of the index, which have nothing but its key. */
async function queryIndex(
  { client, tableName }: TableAccess,
  owner: string,
  Limit: number,
  ExclusiveStartKey?: Key,
): Promise<Key[]> {
  // 1,001 keys are far below the page limit of 1 MB.
  const { Items = [] } = await client.send(
    new QueryCommand({
      ...ownerQuery(tableName, owner),
      Limit,
      ExclusiveStartKey,
    }),
  );
  return Items as Key[];
}

/** The index's items of an owner's links, newest first. {@link toCode} reads them. */
export function ownerQuery(TableName: string, owner: string) {
  return {
    TableName,
    IndexName: ownerIndexName,
    KeyConditionExpression: '#owner = :owner',
    ExpressionAttributeNames: { '#owner': 'owner' },
    ExpressionAttributeValues: { ':owner': owner },
    ScanIndexForward: false,
  };
}

export function toCode({ PK }: { PK: string }): string {
  return PK.slice(linkKey('').PK.length);
}
