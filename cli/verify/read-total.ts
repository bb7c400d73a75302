import { setTimeout } from 'node:timers/promises';
import { paginateQuery, TransactGetCommand } from '@aws-sdk/lib-dynamodb';
import { dayKey, linkKey } from '../../lib/keys.ts';
import type { Table } from '../connection.ts';
import type { TotalRow } from './ledger.ts';

// One transaction reads at most 100 items: the link and the newest of its days.
const maxDaysAtOnce = 99;
const maxAttempts = 10;
const pauseMs = 50;

/**
 * Reads a link's total and the sum of its days as they were at one moment, however many clicks come
 * in. Undefined where that did not succeed in ten attempts: old days of the link keep changing.
 */
export async function readTotal(table: Table, code: string): Promise<TotalRow | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const before = await queryDays(table, code);
    const newest = [...before.keys()].sort().slice(-maxDaysAtOnce);
    const read = await readAtOnce(table, code, newest);
    // Counts only rise, so the days outside of the transaction stood still if their sum did.
    const others = sumWithout(before, newest);
    if (read && others === sumWithout(await queryDays(table, code), newest)) {
      return { code, clicks: read.clicks, sum: read.sum + others };
    }
    await setTimeout(pauseMs * attempt * Math.random());
  }
  return undefined;
}

async function queryDays({ dynamodb, name }: Table, code: string): Promise<Map<string, number>> {
  const { PK, SK: prefix } = dayKey(code, '');
  const pages = paginateQuery(
    { client: dynamodb },
    {
      TableName: name,
      ConsistentRead: true,
      KeyConditionExpression: 'PK = :link AND begins_with(SK, :day)',
      ExpressionAttributeValues: { ':link': PK, ':day': prefix },
    },
  );
  const days = new Map<string, number>();
  for await (const { Items = [] } of pages) {
    for (const { SK, count } of Items) days.set(SK.slice(prefix.length), count);
  }
  return days;
}

/** Undefined when a commit was under way at the same time. */
async function readAtOnce({ dynamodb, name: TableName }: Table, code: string, days: string[]) {
  const keys = [linkKey(code), ...days.map((day) => dayKey(code, day))];
  try {
    const { Responses = [] } = await dynamodb.send(
      new TransactGetCommand({ TransactItems: keys.map((Key) => ({ Get: { TableName, Key } })) }),
    );
    const [link, ...counts] = Responses.map(({ Item }) => Item);
    const clicks: number | null = link ? (link.clicks ?? 0) : null;
    return { clicks, sum: counts.reduce((sum, day) => sum + (day?.count ?? 0), 0) };
  } catch (error) {
    if ((error as Error).name === 'TransactionCanceledException') return undefined;
    throw error;
  }
}

function sumWithout(days: Map<string, number>, without: string[]): number {
  const left = [...days].filter(([day]) => !without.includes(day));
  return left.reduce((sum, [, count]) => sum + count, 0);
}
