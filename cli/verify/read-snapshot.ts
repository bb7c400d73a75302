import { setTimeout } from 'node:timers/promises';
import type { TableAccess } from '../../lib/dynamodb/table.ts';
import * as days from '../../lib/links/days.ts';

const maxAttempts = 10;
const pauseMs = 50;

/**
 * Reads a consistent snapshot of a link and its days while clicks arrive.
 * Returns undefined after ten failed attempts, which means that old days of the link keep changing.
 */
export async function readSnapshot(table: TableAccess, code: string) {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const snapshot = await days.readSnapshot(table, code);
    if (snapshot) return snapshot;
    await setTimeout(pauseMs * attempt * Math.random());
  }
  return undefined;
}
