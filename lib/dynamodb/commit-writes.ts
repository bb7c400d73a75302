import { commitEffects, type Write } from 'powertools-idempotency-transactional';
import { writeTimeoutMs } from './retry.ts';
import type { TransactionalTable } from './table-access.ts';

/**
 * Commits writes exactly once, in one transaction, even if DynamoDB's responses are lost. Throws
 * `ConditionFailedError` for the first write whose condition fails, and `CommitDeadlineError` if
 * DynamoDB stays busy or doesn't respond before the deadline, in epoch milliseconds.
 */
export function commitWrites(
  { baseClient, tableName }: TransactionalTable,
  writes: Write[],
  deadlineMs = Date.now() + writeTimeoutMs,
): Promise<void> {
  const tables = { [tableName]: ['PK', 'SK'] };
  return commitEffects({ writes }, { client: baseClient, tables, deadlineMs });
}
