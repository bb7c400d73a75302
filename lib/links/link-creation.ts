import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { customAlphabet } from 'nanoid';
import { retryWhileBusy, WriteUnprovenError, writeTimeoutMs } from '../dynamodb/retry.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { linkKey, ownerDayKey } from '../keys.ts';
import type { CreateLinkRequest } from './link-request.ts';
import { getLink, type Link } from './links.ts';
import { isReserved } from './reserved-codes.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const mintCode = customAlphabet(alphabet, 7);
const maxMintAttempts = 5;

interface OwnedRequest extends CreateLinkRequest {
  /** The creator's `sub`. */
  owner: string;
  /** How many links the owner may create on a UTC day. */
  linksPerDay: number;
}

type NewLink = Link & Required<Pick<Link, 'owner' | 'creationId'>>;

type CreateLinkOutcome = 'created' | 'taken' | 'over-quota';

/**
 * Stores a link under its code or a new code of 7 letters and digits, and counts it against its
 * owner's limit for the UTC day. Never changes an existing link. A requested code counts even if
 * it's taken. Throws if DynamoDB stays busy or doesn't answer.
 */
export async function createLink(
  table: TableAccess,
  { url, owner, code: ownCode, linksPerDay }: OwnedRequest,
  mint = mintCode,
): Promise<{ outcome: CreateLinkOutcome; code: string }> {
  const createdAt = new Date().toISOString();
  const link: NewLink = { url, createdAt, clicks: 0, owner, creationId: randomUUID() };
  const access = { ...table, abortSignal: AbortSignal.timeout(writeTimeoutMs) };
  if (ownCode !== undefined) {
    return { outcome: await claimCode(access, ownCode, link, linksPerDay), code: ownCode };
  }
  for (let attempt = 1; attempt <= maxMintAttempts; attempt += 1) {
    const code = mint();
    const outcome = isReserved(code) ? 'taken' : await putLink(access, code, link, linksPerDay);
    if (outcome !== 'taken') return { outcome, code };
  }
  throw new Error(`expected a free code within ${maxMintAttempts} attempts; all were taken`);
}

async function claimCode(
  table: TableAccess,
  code: string,
  link: NewLink,
  linksPerDay: number,
): Promise<CreateLinkOutcome> {
  // A transaction on a link conflicts with those that count its clicks, so a taken code is found by
  // a read instead.
  const isTaken = isReserved(code) || (await getLink(table, code)) !== undefined;
  const outcome = isTaken ? 'taken' : await putLink(table, code, link, linksPerDay);
  return outcome === 'taken' ? countTaken(table, link, linksPerDay) : outcome;
}

function putLink(
  table: TableAccess,
  code: string,
  link: NewLink,
  linksPerDay: number,
): Promise<CreateLinkOutcome> {
  const { tableName } = table;
  const Put = {
    TableName: tableName,
    Item: { ...linkKey(code), ...link },
    ConditionExpression: 'attribute_not_exists(PK)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  const TransactItems = [{ Put }, { Update: countLink(tableName, link, linksPerDay) }];
  // The token makes the SDK's own retries idempotent. The creation id recognises all others.
  const makeRequest = () => ({ TransactItems, ClientRequestToken: randomUUID() });
  return commit(table, makeRequest, 'created', (error) => readOutcome(table, code, link, error));
}

/**
 * Counts a taken code as a link. It's a transaction with a single write, so the token makes all
 * retries idempotent.
 */
function countTaken(
  table: TableAccess,
  link: NewLink,
  linksPerDay: number,
): Promise<CreateLinkOutcome> {
  const TransactItems = [{ Update: countLink(table.tableName, link, linksPerDay) }];
  const request = { TransactItems, ClientRequestToken: randomUUID() };
  return commit(
    table,
    () => request,
    'taken',
    async ({ CancellationReasons = [] }) =>
      CancellationReasons[0]?.Code === 'ConditionalCheckFailed' ? 'over-quota' : undefined,
  );
}

/** Repeats a transaction until it's committed or its refusal is conclusive. */
function commit(
  { client, abortSignal }: TableAccess,
  makeRequest: () => TransactWriteCommandInput,
  committed: CreateLinkOutcome,
  readRefusal: (error: TransactionCanceledException) => Promise<CreateLinkOutcome | undefined>,
): Promise<CreateLinkOutcome> {
  return retryWhileBusy(async () => {
    const request = { ...makeRequest(), ReturnConsumedCapacity: 'TOTAL' as const };
    try {
      const answer = await client.send(new TransactWriteCommand(request), { abortSignal });
      if (answer.ConsumedCapacity?.length) return committed;
      throw new WriteUnprovenError(
        'expected the consumed capacity in the response as proof of the commit; got none',
      );
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const refusal = await readRefusal(error);
      if (refusal) return refusal;
      throw error;
    }
  });
}

function countLink(TableName: string, { owner, createdAt }: NewLink, linksPerDay: number) {
  const day = createdAt.slice(0, 'yyyy-mm-dd'.length);
  return {
    TableName,
    Key: ownerDayKey(owner, day),
    UpdateExpression: 'SET #ttl = :ttl ADD #links :one',
    ConditionExpression: 'attribute_not_exists(#links) OR #links < :quota',
    ExpressionAttributeNames: { '#ttl': 'ttl', '#links': 'links' },
    ExpressionAttributeValues: { ':ttl': expiryOf(day), ':one': 1, ':quota': linksPerDay },
  };
}

/** Two days after a UTC day began, in epoch seconds. */
function expiryOf(day: string): number {
  return Date.parse(day) / 1_000 + 2 * 24 * 60 * 60;
}

/**
 * The outcome of a refused transaction; undefined if it isn't conclusive. The reasons come in the
 * order of the items.
 */
async function readOutcome(
  table: TableAccess,
  code: string,
  { creationId }: NewLink,
  { CancellationReasons = [] }: TransactionCanceledException,
): Promise<CreateLinkOutcome | undefined> {
  const [link, quota] = CancellationReasons;
  if (link?.Code === 'ConditionalCheckFailed') {
    // A refusal may come without the conflicting link, even though the request asks for it.
    const inTheWay = link.Item ? link.Item.creationId?.S : (await getLink(table, code))?.creationId;
    // An earlier attempt may have stored the link and lost its response.
    return inTheWay === creationId ? 'created' : 'taken';
  }
  const isFree = link?.Code === 'None';
  return isFree && quota?.Code === 'ConditionalCheckFailed' ? 'over-quota' : undefined;
}
