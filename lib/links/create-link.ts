import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { customAlphabet } from 'nanoid';
import { linkKey, ownerDayKey } from '../keys.ts';
import type { TableAccess } from './days.ts';
import { getLink, type Link } from './links.ts';
import { isReserved } from './reserved-codes.ts';
import { retryWhileBusy, writeTimeoutMs } from './retry.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const mintCode = customAlphabet(alphabet, 7);
const maxMintAttempts = 5;

export interface LinkRequest {
  url: string;
  /** The creator's `sub`. */
  owner: string;
  /** Without one, a code is minted. */
  code?: string;
  /** How many links the owner may create in a UTC day. */
  linksPerDay: number;
}

type NewLink = Link & Required<Pick<Link, 'owner' | 'creationId'>>;

type Outcome = 'created' | 'taken' | 'over-quota';

/**
 * Stores a link under its code or, without one, under a new code of 7 letters and digits, and counts
 * it against its owner's quota of the UTC day. Never changes a link that exists, and a refused link
 * uses up no quota. Throws if DynamoDB stays busy or does not answer.
 */
export async function createLink(
  table: TableAccess,
  { url, owner, code: ownCode, linksPerDay }: LinkRequest,
  mint = mintCode,
): Promise<{ outcome: Outcome; code: string }> {
  const createdAt = new Date().toISOString();
  const link: NewLink = { url, createdAt, clicks: 0, owner, creationId: randomUUID() };
  const access = { ...table, abortSignal: AbortSignal.timeout(writeTimeoutMs) };
  for (let attempt = 1; attempt <= maxMintAttempts; attempt += 1) {
    const code = ownCode ?? mint();
    const outcome = isReserved(code) ? 'taken' : await putLink(access, code, link, linksPerDay);
    if (outcome !== 'taken' || ownCode !== undefined) return { outcome, code };
  }
  throw new Error(`expected a free code within ${maxMintAttempts} attempts; all were taken`);
}

function putLink(
  table: TableAccess,
  code: string,
  link: NewLink,
  linksPerDay: number,
): Promise<Outcome> {
  const { client, tableName, abortSignal } = table;
  const transaction = buildTransaction(tableName, code, link, linksPerDay);
  return retryWhileBusy(async () => {
    // The token makes the SDK's own retries one request; the creation id recognises all others.
    const request = { ...transaction, ClientRequestToken: randomUUID() };
    try {
      const answer = await client.send(new TransactWriteCommand(request), { abortSignal });
      if (answer.ConsumedCapacity?.length) return 'created';
      throw new Error('expected the consumed capacity, which proves the commit; got none');
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const outcome = await readOutcome(table, code, link, error);
      if (outcome) return outcome;
      throw error;
    }
  });
}

function buildTransaction(
  TableName: string,
  code: string,
  link: NewLink,
  linksPerDay: number,
): TransactWriteCommandInput {
  const day = link.createdAt.slice(0, 'yyyy-mm-dd'.length);
  const Put = {
    TableName,
    Item: { ...linkKey(code), ...link },
    ConditionExpression: 'attribute_not_exists(PK)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  const Update = {
    TableName,
    Key: ownerDayKey(link.owner, day),
    UpdateExpression: 'SET #ttl = :ttl ADD #links :one',
    ConditionExpression: 'attribute_not_exists(#links) OR #links < :quota',
    ExpressionAttributeNames: { '#ttl': 'ttl', '#links': 'links' },
    ExpressionAttributeValues: { ':ttl': expiryOf(day), ':one': 1, ':quota': linksPerDay },
  };
  return { TransactItems: [{ Put }, { Update }], ReturnConsumedCapacity: 'TOTAL' };
}

/** Two days after a UTC day began, in epoch seconds. */
function expiryOf(day: string): number {
  return Date.parse(day) / 1_000 + 2 * 24 * 60 * 60;
}

/** What a refusal decides; undefined if it decides nothing. The reasons come in the order of the items. */
async function readOutcome(
  table: TableAccess,
  code: string,
  { creationId }: NewLink,
  { CancellationReasons = [] }: TransactionCanceledException,
): Promise<Outcome | undefined> {
  const [link, quota] = CancellationReasons;
  if (link?.Code === 'ConditionalCheckFailed') {
    // A refusal may come without the link that was in the way, though the request asks for it.
    const inTheWay = link.Item ? link.Item.creationId?.S : (await getLink(table, code))?.creationId;
    // An earlier attempt may have stored the link, and its answer was lost.
    return inTheWay === creationId ? 'created' : 'taken';
  }
  const isFree = link?.Code === 'None';
  return isFree && quota?.Code === 'ConditionalCheckFailed' ? 'over-quota' : undefined;
}
