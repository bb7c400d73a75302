import type { Write } from 'powertools-idempotency-transactional';
import { batchGetItems, commitWrites, writeTimeoutMs } from '../../dynamodb/requests.ts';
import type { TableAccess, TransactionalTable } from '../../dynamodb/table.ts';
import { HttpError } from '../../http/http-error.ts';
import { creationMarkerKey, linkKey, listConflictingCodes } from '../../keys.ts';
import { type CreateLinkRequest, parseNewLink } from '../api/link-request.ts';
import type { LinkPolicy } from '../rules/destination.ts';
import { isReserved } from '../rules/reserved-codes.ts';
import { isMarkerOf, type Keyed, putMarker } from './creation-marker.ts';
import {
  codeTakenError,
  createdAndDeletedError,
  keyReusedError,
  quotaExceededError,
} from './link-answer.ts';
import {
  countLinks,
  isDeletedBy,
  keepsCode,
  mintCode,
  putNewLink,
  readRemainingLinks,
  toNewLink,
} from './link-creation.ts';
import { getLinks, getStoredLinks, type Link, type StoredLink } from './links.ts';

// A link, its change and its marker are three of a transaction's 100 actions, and the quota is one.
const maxLinksAtOnce = 33;
const maxMintAttempts = 5;

/** A link that a caller wants. */
export interface WantedLink {
  /** The caller's idempotency key. Another request with it finds the first one's link. */
  key?: string;
  /** The caller's JSON, which isn't checked yet. */
  fields: unknown;
}

export type CreationOutcome =
  | { outcome: 'created'; code: string; link: CreateLinkRequest }
  | { outcome: 'existing'; code: string; link: Link }
  /** A dry run found nothing against it. */
  | { outcome: 'ready' }
  | { outcome: 'refused' | 'over-quota'; error: HttpError };

export interface CreationContext {
  /** The creator's `sub`. */
  owner: string;
  /** The owner's daily limit, by UTC day. */
  linksPerDay: number;
  policy: LinkPolicy;
  keyed: Keyed;
  /** Creates nothing, and says what would happen. A taken code counts against the quota all the same. */
  isDryRun?: boolean;
  mint?: () => string;
}

interface CreationJob extends CreationContext {
  table: TransactionalTable;
  /** The same table, for reads that must end in time. */
  reads: TableAccess;
  /** An ISO 8601 instant, for all new links. */
  createdAt: string;
  /** Epoch milliseconds. */
  deadlineMs: number;
  outcomes: Map<WantedLink, CreationOutcome>;
  /** How often another link had a code that was minted. */
  mintCollisions: number;
}

interface Candidate {
  wanted: WantedLink;
  link: CreateLinkRequest;
  code: string;
  isTaken: boolean;
  /** What has the code. */
  stored?: StoredLink;
}

/**
 * Creates links, each under its own code or a new one of 7 letters and digits, counts them against their
 * owner's limit for the UTC day, and returns an outcome for each, in their order. A key is committed with
 * its link in one transaction, so a repeated request finds the first one's link. A taken code counts
 * against the quota too. Never changes an existing link. Throws if DynamoDB stays busy or doesn't answer;
 * with keys, the same request may then be sent again.
 */
export async function createLinks(
  table: TransactionalTable,
  wanted: WantedLink[],
  context: CreationContext,
): Promise<CreationOutcome[]> {
  const outcomes: CreationJob['outcomes'] = new Map();
  const job: CreationJob = {
    ...context,
    table,
    reads: { ...table, abortSignal: AbortSignal.timeout(writeTimeoutMs) },
    createdAt: new Date().toISOString(),
    deadlineMs: Date.now() + writeTimeoutMs,
    outcomes,
    mintCollisions: 0,
  };
  let remaining = await findRemaining(job, wanted);
  for (let open = wanted; open.length > 0; open = wanted.filter((one) => !outcomes.has(one))) {
    await findExisting(job, open);
    const candidates = await listCandidates(job, open, Math.min(remaining, maxLinksAtOnce));
    if (candidates.length > 0) remaining = await commit(job, candidates, remaining);
    if (remaining <= 0) rejectOverQuota(job, open);
  }
  return wanted.flatMap((one) => outcomes.get(one) ?? []);
}

/** How many links may still be created today, as far as it matters. */
async function findRemaining(job: CreationJob, wanted: WantedLink[]): Promise<number> {
  // Beyond the limit, DynamoDB would charge for each write of the rejected transaction. For one link, a read
  // isn't cheaper. A dry run doesn't write, so no condition checks its limit.
  if (wanted.length === 1 && !job.isDryRun) return 1;
  return readRemainingLinks(job.table, job, job.createdAt);
}

/** Creates one link, or finds it by its key. Throws an {@link HttpError} if it's rejected. */
export async function createLink(
  table: TransactionalTable,
  wanted: WantedLink,
  context: CreationContext,
) {
  const [result] = await createLinks(table, [wanted], context);
  if (result && 'code' in result) return result;
  throw result && 'error' in result ? result.error : new Error('expected a link; got none');
}

/** Finds the links of the keys that have a marker. */
async function findExisting(job: CreationJob, open: WantedLink[]): Promise<void> {
  const { reads, owner, outcomes } = job;
  const keyed = open.flatMap((wanted) => {
    const { key } = wanted;
    return key === undefined ? [] : [{ wanted, key, marker: creationMarkerKey(owner, key) }];
  });
  const items = await batchGetItems(
    reads,
    keyed.map(({ marker }) => marker),
  );
  const markers = new Map(items.map((item) => [item.PK, item]));
  const codes = [...new Set([...markers.values()].map(({ code }) => code))];
  const links = await getLinks(reads, codes);
  for (const { wanted, key, marker } of keyed) {
    const stored = markers.get(marker.PK);
    if (!stored) continue;
    const { code } = stored;
    const link = links.get(code);
    if (!isMarkerOf(stored, wanted.fields, job.keyed))
      outcomes.set(wanted, reject(keyReusedError(job.keyed, key)));
    else if (link?.owner === owner) outcomes.set(wanted, { outcome: 'existing', code, link });
    else outcomes.set(wanted, reject(createdAndDeletedError(job.keyed, code)));
  }
}

/** The next valid links, up to a limit. Rejects the invalid ones before them. */
async function listCandidates(job: CreationJob, open: WantedLink[], most: number) {
  const { reads, policy, outcomes } = job;
  const candidates: Candidate[] = [];
  for (const wanted of open) {
    if (candidates.length >= most) break;
    if (outcomes.has(wanted)) continue;
    try {
      const link = parseNewLink(wanted.fields, policy);
      candidates.push({ wanted, link, code: link.code ?? mintFreeCode(job), isTaken: false });
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      outcomes.set(wanted, reject(error));
    }
  }
  // A transaction on a link conflicts with those that count its clicks, so a requested code is read. The
  // write's condition rejects a minted one, which is rarely taken.
  const requested = ({ link }: Candidate) => (link.code ? listConflictingCodes(link.code) : []);
  const codes = [...new Set(candidates.flatMap(requested))];
  const stored = await getStoredLinks(reads, codes);
  const taken = new Set(codes.filter((code) => keepsCode(stored.get(code))));
  return candidates.map((candidate) => {
    const isTaken = requested(candidate).some((code) => taken.has(code));
    taken.add(candidate.code);
    return { ...candidate, isTaken, stored: stored.get(candidate.code) };
  });
}

/** Mints a code that isn't reserved. A link may have it already. */
function mintFreeCode({ mint = mintCode }: CreationJob): string {
  let code = mint();
  while (isReserved(code)) code = mint();
  return code;
}

function reject(error: HttpError): CreationOutcome {
  return { outcome: 'refused', error };
}

/** Commits the candidates in one transaction, and returns the number of links that remain in the quota. */
async function commit(
  job: CreationJob,
  candidates: Candidate[],
  remaining: number,
): Promise<number> {
  const { table, owner, linksPerDay, createdAt, deadlineMs, outcomes, isDryRun } = job;
  const created = isDryRun ? [] : candidates.filter(({ isTaken }) => !isTaken);
  const taken = candidates.filter(({ isTaken }) => isTaken);
  const counted = created.length + taken.length;
  if (counted > 0) {
    const quota = countLinks({ owner, createdAt, linksPerDay }, counted);
    const writes = created.flatMap((candidate) => describeWrites(job, candidate));
    const rejection = await commitWrites(table, [...writes, quota], deadlineMs);
    if (rejection?.key.PK === quota.Update?.Key.PK)
      return linksPerDay - (rejection?.item?.links ?? linksPerDay);
    if (rejection) {
      // Another request took a code or a key a moment ago. The next round reads it, or mints another code.
      if (isMintedCode(candidates, `${rejection.key.PK}`)) countMintCollision(job);
      return remaining;
    }
  }
  for (const { wanted, link, code, isTaken, stored } of candidates) {
    if (isTaken) outcomes.set(wanted, reject(codeTakenError(code, isDeletedBy(owner, stored))));
    else outcomes.set(wanted, isDryRun ? { outcome: 'ready' } : { outcome: 'created', code, link });
  }
  return remaining - candidates.length;
}

/** Whether a key is that of a code which was minted for one of the candidates. */
function isMintedCode(candidates: Candidate[], key: string): boolean {
  return candidates.some(({ link, code }) => link.code === undefined && linkKey(code).PK === key);
}

function countMintCollision(job: CreationJob): void {
  job.mintCollisions += 1;
  if (job.mintCollisions < maxMintAttempts) return;
  throw new Error(`expected a free code within ${maxMintAttempts} attempts; all were taken`);
}

function describeWrites(job: CreationJob, { wanted, link, code, stored }: Candidate): Write[] {
  const { owner, createdAt } = job;
  const { key, fields } = wanted;
  const puts = putNewLink(code, toNewLink(link, owner, createdAt), stored);
  return key === undefined ? puts : [...puts, putMarker(job, { key, fields }, code)];
}

function rejectOverQuota({ linksPerDay, outcomes }: CreationJob, open: WantedLink[]): void {
  const error = quotaExceededError(linksPerDay);
  for (const wanted of open) {
    if (!outcomes.has(wanted)) outcomes.set(wanted, { outcome: 'over-quota', error });
  }
}
