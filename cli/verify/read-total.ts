import { setTimeout } from 'node:timers/promises';
import * as days from '../../lib/links/days.ts';
import type { ClickTable } from '../connection.ts';
import type { TotalRow } from './recount.ts';

const maxAttempts = 10;
const pauseMs = 50;

/**
 * Reads a link's total and the sum of its days as they were at one moment, however many clicks come
 * in. Undefined where that did not succeed in ten attempts: old days of the link keep changing.
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
