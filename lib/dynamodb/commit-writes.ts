import {
  ConditionFailedError,
  commitEffects,
  type Write,
} from 'powertools-idempotency-transactional';
import { writeTimeoutMs } from './retry.ts';
import type { TransactionalTable } from './table-access.ts';

/**
 * Commits writes exactly once, in one transaction, even if DynamoDB's responses are lost. If a
 * write's condition fails, nothing is written, and the first such write's refusal is returned.
 * Throws `CommitDeadlineError` if DynamoDB stays busy or doesn't respond before the deadline, in
 * epoch milliseconds.
 */
export async function commitWrites(
  { baseClient, tableName }: TransactionalTable,
  writes: Write[],
  deadlineMs = Date.now() + writeTimeoutMs,
): Promise<ConditionFailedError | undefined> {
  const tables = { [tableName]: ['PK', 'SK'] };
  try {
    await commitEffects({ writes }, { client: baseClient, tables, deadlineMs });
    return undefined;
  } catch (error) {
    if (error instanceof ConditionFailedError) return error;
    throw error;
  }
}
