import { setTimeout } from 'node:timers/promises';
import * as days from '../../lib/links/days.ts';
import type { ClickTable } from '../connection.ts';
import type { TotalRow } from './recount.ts';

const maxAttempts = 10;
const pauseMs = 50;

/**
 * Reads a consistent snapshot of a link's total and the sum of its days while clicks arrive.
 * Returns undefined after ten failed attempts, which means that old days of the link keep changing.
 */
export async function readTotal(table: ClickTable, code: string): Promise<TotalRow | undefined> {
  const { dynamodb: client, name: tableName } = table;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const total = await days.readTotal({ client, tableName }, code);
    if (total) return { code, ...total };
    await setTimeout(pauseMs * attempt * Math.random());
  }
  return undefined;
}
