import {
  type DynamoDBDocumentClient,
  paginateQuery,
  TransactGetCommand,
} from '@aws-sdk/lib-dynamodb';
import { dayKey, linkKey } from '../keys.ts';

/** The table to read, and what ends its requests, if anything does. */
export interface Table {
  client: DynamoDBDocumentClient;
  tableName: string;
  abortSignal?: AbortSignal;
}

/** A link's clicks of one UTC day, yyyy-mm-dd. */
export interface Day {
  date: string;
  count: number;
}

/** A link's total, null where there is no link, and the sum of its days. */
export interface Total {
  clicks: number | null;
  sum: number;
}

// One transaction reads at most 100 items: the link and the newest of its days.
const maxDaysAtOnce = 99;

/** Reads a link's days, oldest first, both ends included. */
export async function queryDays(
  { client, tableName, abortSignal }: Table,
  code: string,
  { from = '0000-01-01', to = '9999-12-31' }: { from?: string; to?: string } = {},
): Promise<Day[]> {
  const first = dayKey(code, from);
  const last = dayKey(code, to);
  const pages = paginateQuery(
    { client },
    {
      TableName: tableName,
      ConsistentRead: true,
      KeyConditionExpression: 'PK = :link AND SK BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':link': first.PK, ':first': first.SK, ':last': last.SK },
    },
    { abortSignal },
  );
  const days: Day[] = [];
  for await (const { Items = [] } of pages) {
    for (const { SK, count } of Items) days.push({ date: SK.slice('STAT#'.length), count });
  }
  return days;
}

/**
 * Reads a link's total and the sum of its days as they were at one moment. Undefined where there was
 * no such moment: a commit was under way, or days outside of the transaction changed meanwhile.
 */
export async function readTotal(table: Table, code: string): Promise<Total | undefined> {
  const before = await queryDays(table, code);
  const newest = before.slice(-maxDaysAtOnce).map(({ date }) => date);
  const read = await readAtOnce(table, code, newest);
  // Counts only rise, so the days outside of the transaction stood still if their sum did. A day
  // that is new by then is among them.
  const others = sumWithout(before, newest);
  if (!read || others !== sumWithout(await queryDays(table, code), newest)) return undefined;
  return { clicks: read.clicks, sum: read.sum + others };
}

/** Adds up the clicks of days. */
export function sumDays(days: Day[]): number {
  return days.reduce((sum, { count }) => sum + count, 0);
}

async function readAtOnce(
  { client, tableName, abortSignal }: Table,
  code: string,
  dates: string[],
): Promise<Total | undefined> {
  const keys = [linkKey(code), ...dates.map((date) => dayKey(code, date))];
  const command = new TransactGetCommand({
    TransactItems: keys.map((Key) => ({ Get: { TableName: tableName, Key } })),
  });
  try {
    const { Responses = [] } = await client.send(command, { abortSignal });
    const [link, ...counts] = Responses.map(({ Item }) => Item);
    const clicks = link ? (link.clicks ?? 0) : null;
    return { clicks, sum: counts.reduce((sum, day) => sum + (day?.count ?? 0), 0) };
  } catch (error) {
    if ((error as Error).name === 'TransactionCanceledException') return undefined;
    throw error;
  }
}

function sumWithout(days: Day[], dates: string[]): number {
  return sumDays(days.filter(({ date }) => !dates.includes(date)));
}
