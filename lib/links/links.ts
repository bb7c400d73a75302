import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { customAlphabet } from 'nanoid';
import { readTableConfig } from '../config.ts';
import { linkKey } from '../keys.ts';
import { traceClient } from '../telemetry/powertools.ts';
import { type Day, queryDays, readTotal, type Total } from './days.ts';
import { isReserved } from './reserved-codes.ts';

const { tableName } = readTableConfig();
// After a second without an answer, the SDK retries while the visitor still waits.
const requestHandler = {
  connectionTimeout: 1_000,
  requestTimeout: 1_000,
  throwOnRequestTimeout: true,
};
const client = DynamoDBDocumentClient.from(traceClient(new DynamoDBClient({ requestHandler })));

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const mintCode = customAlphabet(alphabet, 7);
const maxMintAttempts = 5;

export interface Link {
  url: string;
  /** An ISO 8601 instant. */
  createdAt: string;
  /** The total since then. */
  clicks: number;
}

export interface LinkStats {
  link: Link;
  /** Days with clicks, oldest first. */
  days: Day[];
}

/** Stores a link under this code; false if the code is taken. */
export async function createLink(code: string, url: string): Promise<boolean> {
  const link: Link = { url, createdAt: new Date().toISOString(), clicks: 0 };
  try {
    await client.send(
      new PutCommand({
        TableName: tableName,
        Item: { ...linkKey(code), ...link },
        ConditionExpression: 'attribute_not_exists(PK)',
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Stores a link under a new code of 7 letters and digits and returns the code. */
export async function createLinkWithNewCode(url: string, mint = mintCode): Promise<string> {
  for (let attempt = 1; attempt <= maxMintAttempts; attempt += 1) {
    const code = mint();
    if (!isReserved(code) && (await createLink(code, url))) return code;
  }
  throw new Error(`expected a free code within ${maxMintAttempts} attempts; all were taken`);
}

/** Reads a link; undefined if there is none. */
export async function readLink(code: string): Promise<Link | undefined> {
  // An eventually consistent read costs half; only a brand-new link needs the second read.
  return (await getLink(code, false)) ?? (await getLink(code, true));
}

/** Reads a link and its days within a range, both ends included; undefined if there is no link. */
export async function readLinkStats(
  code: string,
  range: { from?: string; to?: string } = {},
): Promise<LinkStats | undefined> {
  const table = { client, tableName };
  const [link, days] = await Promise.all([getLink(code, true), queryDays(table, code, range)]);
  return link && { link, days };
}

/** Reads a link's total and the sum of its days; undefined if no consistent snapshot was possible. */
export function readLinkTotal(code: string, abortSignal: AbortSignal): Promise<Total | undefined> {
  return readTotal({ client, tableName, abortSignal }, code);
}

async function getLink(code: string, consistent: boolean): Promise<Link | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: linkKey(code), ConsistentRead: consistent }),
  );
  return Item as Link | undefined;
}
