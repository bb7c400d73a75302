import { paginateQuery, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import type { NativeAttributeValue } from '@aws-sdk/util-dynamodb';
import type { Numbers } from '../clicks/breakdown-sums.ts';
import type { TableAccess } from '../dynamodb/table-access.ts';
import { dayKey, linkKey } from '../keys.ts';

/** A link's clicks on a UTC day, yyyy-mm-dd. */
export interface Day {
  date: string;
  count: number;
  /** The other numbers of the item, which are its breakdowns. */
  numbers: Numbers;
}

/** A link's total (null if the link doesn't exist) and the sum of its days. */
interface Total {
  clicks: number | null;
  sum: number;
}

// One transaction reads at most 100 items: the link and its newest days.
const maxDaysAtOnce = 99;

/** Reads a link's days, oldest first. The range is inclusive. */
export async function queryDays(
  { client, tableName, abortSignal }: TableAccess,
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
    for (const item of Items) days.push(toDay(item));
  }
  return days;
}

export function toDay({ SK, count, ...attributes }: Record<string, NativeAttributeValue>): Day {
  const numbers = Object.entries(attributes).filter(([, value]) => typeof value === 'number');
  return { date: SK.slice('STAT#'.length), count, numbers: Object.fromEntries(numbers) };
}

/**
 * Reads a consistent snapshot of a link's total and the sum of its days. Undefined if a commit was
 * in flight, or if days outside the transaction changed meanwhile.
 */
export async function readTotal(table: TableAccess, code: string): Promise<Total | undefined> {
  const before = await queryDays(table, code);
  const newest = before.slice(-maxDaysAtOnce).map(({ date }) => date);
  const read = await readAtOnce(table, code, newest);
  // Counts only rise. If the sum of the days outside the transaction is the same before and after,
  // they didn't change. The second sum includes days added meanwhile.
  const others = sumWithout(before, newest);
  if (!read || others !== sumWithout(await queryDays(table, code), newest)) return undefined;
  return { clicks: read.clicks, sum: read.sum + others };
}

export function sumDays(days: Day[]): number {
  return days.reduce((sum, { count }) => sum + count, 0);
}

async function readAtOnce(
  { client, tableName, abortSignal }: TableAccess,
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
