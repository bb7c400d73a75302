import { createHash } from 'node:crypto';
import type { Write } from 'powertools-idempotency-transactional';
import { batchGetItems, commitWrites, writeTimeoutMs } from '../../dynamodb/requests.ts';
import type { TransactionalTable } from '../../dynamodb/table.ts';
import { HttpError } from '../../http/http-error.ts';
import { importKey, ownerDayKey } from '../../keys.ts';
import { type CreateLinkRequest, type ImportItem, parseNewLink } from '../api/link-request.ts';
import type { LinkPolicy } from '../rules/destination.ts';
import { describeContent } from '../rules/link-fields.ts';
import { codeTakenError, importedAndDeletedError, quotaExceededError } from './link-answer.ts';
import {
  countLinks,
  isDeletedBy,
  keepsCode,
  listConflictingCodes,
  mintFreeCode,
  putNewLink,
  toNewLink,
} from './link-creation.ts';
import { getLinks, getStoredLinks, type StoredLink } from './links.ts';

// A link and its marker are two of a transaction's 100 actions, and the quota is one.
const maxLinksAtOnce = 49;
const markerSeconds = 400 * 24 * 60 * 60;

type ImportOutcome =
  | { outcome: 'created' | 'existing'; code: string }
  | { outcome: 'refused' | 'over-quota'; message: string; fields?: HttpError['fields'] };

interface Import {
  table: TransactionalTable;
  owner: string;
  linksPerDay: number;
  policy: LinkPolicy;
  /** An ISO 8601 instant, for all new links. */
  createdAt: string;
  /** Epoch milliseconds. */
  deadlineMs: number;
  outcomes: Map<string, ImportOutcome>;
}

interface Candidate {
  item: ImportItem;
  link: CreateLinkRequest;
  code: string;
  isTaken: boolean;
  /** What has the code. */
  stored?: StoredLink;
}

/**
 * Creates links and returns an outcome for each, in their order. An item's key is committed with its
 * link in one transaction, so a repeated request finds the first one's link. A taken code counts
 * against the quota, as in a single creation. Throws if DynamoDB stays busy or doesn't answer; the
 * same request may then be sent again.
 */
export async function importLinks(
  table: TransactionalTable,
  items: ImportItem[],
  context: Pick<Import, 'owner' | 'linksPerDay' | 'policy'>,
): Promise<ImportOutcome[]> {
  const outcomes: Import['outcomes'] = new Map();
  const times = { createdAt: new Date().toISOString(), deadlineMs: Date.now() + writeTimeoutMs };
  const job: Import = { ...context, ...times, table, outcomes };
  // Beyond the limit, DynamoDB would charge for each write of the refused transaction.
  let room = await readRoom(job);
  for (let open = items; open.length > 0; open = items.filter(({ key }) => !outcomes.has(key))) {
    await settleExisting(job, open);
    const candidates = await listCandidates(job, open, Math.min(room, maxLinksAtOnce));
    if (candidates.length > 0) room = await commit(job, candidates, room);
    if (room <= 0) settleOverQuota(job, open);
  }
  return items.flatMap(({ key }) => outcomes.get(key) ?? []);
}

/** The number of links that the owner may still create today. */
async function readRoom({ table, owner, linksPerDay, createdAt }: Import): Promise<number> {
  const key = ownerDayKey(owner, createdAt.slice(0, 'yyyy-mm-dd'.length));
  const [today] = await batchGetItems(table, [key]);
  return linksPerDay - (today?.links ?? 0);
}

/** Settles the items whose keys have a marker. */
async function settleExisting({ table, owner, outcomes }: Import, items: ImportItem[]) {
  const keys = items.map(({ key }) => importKey(owner, key));
  const markers = new Map((await batchGetItems(table, keys)).map((item) => [item.PK, item]));
  const codes = [...new Set([...markers.values()].map(({ code }) => code))];
  const links = await getLinks(table, codes);
  for (const item of items) {
    const marker = markers.get(importKey(owner, item.key).PK);
    if (!marker) continue;
    const { code, validation } = marker;
    if (validation !== hash(item)) {
      const message = `expected "key" to be a new one; ${item.key} belongs to another link`;
      outcomes.set(item.key, { outcome: 'refused', message });
    } else if (links.get(code)?.owner === owner) {
      outcomes.set(item.key, { outcome: 'existing', code });
    } else outcomes.set(item.key, refuse(importedAndDeletedError(code)));
  }
}

/** The next valid items, up to a limit. Settles the invalid ones before them. */
async function listCandidates(
  { table, policy, outcomes }: Import,
  open: ImportItem[],
  most: number,
) {
  const candidates: Candidate[] = [];
  for (const item of open) {
    if (candidates.length >= most) break;
    if (outcomes.has(item.key)) continue;
    try {
      const { key: _, ...fields } = item;
      const link = parseNewLink(fields, policy);
      candidates.push({ item, link, code: link.code ?? mintFreeCode(), isTaken: false });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      outcomes.set(item.key, refuse(error));
    }
  }
  const takersOf = ({ link, code }: Candidate) => (link.code ? listConflictingCodes(code) : [code]);
  const codes = [...new Set(candidates.flatMap(takersOf))];
  const stored = await getStoredLinks(table, codes);
  const taken = new Set(codes.filter((code) => keepsCode(stored.get(code))));
  return candidates.map((candidate) => {
    const isTaken = takersOf(candidate).some((code) => taken.has(code));
    taken.add(candidate.code);
    return { ...candidate, isTaken, stored: stored.get(candidate.code) };
  });
}

function refuse({ message, fields }: HttpError): ImportOutcome {
  return { outcome: 'refused', message, ...(fields && { fields }) };
}

/** Commits the candidates in one transaction, and returns the room that's left in the quota. */
async function commit(job: Import, candidates: Candidate[], room: number): Promise<number> {
  const { table, owner, linksPerDay, createdAt, deadlineMs, outcomes } = job;
  const quota = countLinks({ owner, createdAt, linksPerDay }, candidates.length);
  const writes = candidates.flatMap((candidate) =>
    candidate.isTaken ? [] : describe(job, candidate),
  );
  const refusal = await commitWrites(table, [...writes, quota], deadlineMs);
  if (refusal?.key.PK === ownerDayKey(owner, '').PK)
    return linksPerDay - (refusal.item?.links ?? linksPerDay);
  // Another request took a code or a key a moment ago. The next round reads it.
  if (refusal) return room;
  for (const { item, code, isTaken, stored } of candidates) {
    const taken = codeTakenError(code, isDeletedBy(owner, stored));
    outcomes.set(item.key, isTaken ? refuse(taken) : { outcome: 'created', code });
  }
  return room - candidates.length;
}

function describe({ owner, createdAt }: Import, { item, link, code, stored }: Candidate): Write[] {
  const ttl = Math.floor(Date.parse(createdAt) / 1_000) + markerSeconds;
  const Item = { ...importKey(owner, item.key), code, validation: hash(item), ttl };
  return [
    putNewLink(code, toNewLink(link, owner, createdAt), stored),
    { Put: { Item, ConditionExpression: 'attribute_not_exists(PK)' } },
  ];
}

function settleOverQuota({ linksPerDay, outcomes }: Import, open: ImportItem[]): void {
  const { message } = quotaExceededError(linksPerDay);
  for (const { key } of open) {
    if (!outcomes.has(key)) outcomes.set(key, { outcome: 'over-quota', message });
  }
}

function hash(item: ImportItem): string {
  return createHash('sha256').update(describeContent(item)).digest('base64url');
}
