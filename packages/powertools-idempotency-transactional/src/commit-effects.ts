import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { checkEntry, toActions } from './actions.ts';
import { commitEntries } from './commit.ts';
import type { Effects } from './effects.ts';
import type { Entry } from './entry.ts';
import { UnsafeConfigurationError } from './errors.ts';

/** DynamoDB remembers a ClientRequestToken for ten minutes; a retry must not come later. */
const maxTimeoutMs = 5 * 60_000;

/** The options of {@link commitEffects}. */
export interface CommitEffectsOptions {
  client: DynamoDBClient;
  /** The key attributes of each table, by its name. The first table is the effects' default. */
  tables: { [tableName: string]: string[] };
  /** How long the commit may take, with all its attempts: up to 300,000 milliseconds. */
  timeoutMs: number;
}

/**
 * Commits effects in one transaction, with the layer's retries but without a marker. Conflicts,
 * throttling and lost answers are retried with the same request token, so the effects happen once in
 * this call. Another call with the same effects repeats them.
 *
 * @example
 * ```ts
 * await commitEffects(
 *   { writes: [{ Put: { Item: { PK: 'A', SK: 'A' }, ConditionExpression: 'attribute_not_exists(PK)' } }] },
 *   { client: createCommitClient(), tables: { orders: ['PK', 'SK'] }, timeoutMs: 4_000 },
 * );
 * ```
 * @throws {ConditionFailedError} if the condition of a write fails. If several do, it's the first.
 * @throws {ItemMissingError} if an increment with `mustExist` doesn't find its item.
 * @throws {CommitDeadlineError} after `timeoutMs`. Unlike the other errors, it doesn't tell whether
 * the effects happened: the last answer may be lost.
 * @throws {CommitRejectedError} if DynamoDB refuses the transaction for good.
 * @throws {InvalidEffectsError} if the effects don't fit into one transaction.
 */
export async function commitEffects(
  effects: Omit<Effects, 'response'>,
  { client, tables, timeoutMs }: CommitEffectsOptions,
): Promise<void> {
  if (!(timeoutMs > 0 && timeoutMs <= maxTimeoutMs)) {
    const range = `a number of milliseconds from 1 to ${maxTimeoutMs}`;
    throw new UnsafeConfigurationError(`timeoutMs is ${timeoutMs}. Set it to ${range}.`);
  }
  const entry: Entry = {
    idempotencyKey: '',
    payloadHash: '',
    actions: toActions(effects, new Map(Object.entries(tables))),
    deadlineMs: Date.now() + timeoutMs,
  };
  checkEntry(entry);
  const options = { client, random: Math.random, newToken: randomUUID };
  const [outcome] = await commitEntries(options, [entry]);
  if (outcome instanceof Error) throw outcome;
}
