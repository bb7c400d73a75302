import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { checkEntry, toActions } from './actions.ts';
import { checkEffects } from './check-effects.ts';
import { commitEntries } from './commit-entries.ts';
import type { Effects } from './effects.ts';
import type { Entry } from './entry.ts';
import { UnsafeConfigurationError } from './errors.ts';

/** DynamoDB remembers a ClientRequestToken for ten minutes, so a retry mustn't come later. */
const maxCommitMs = 5 * 60_000;

/**
 * The options of {@link commitEffects}.
 *
 * @example
 * ```ts
 * import { type CommitEffectsOptions, createCommitClient } from 'powertools-idempotency-transactional';
 *
 * export const options = (): CommitEffectsOptions => ({
 *   awsSdkV3Client: createCommitClient(),
 *   tables: { orders: ['PK', 'SK'] },
 *   deadlineMs: Date.now() + 4_000,
 * });
 * ```
 */
export interface CommitEffectsOptions {
  /** Created by `createCommitClient`. */
  awsSdkV3Client: DynamoDBClient;
  /** The key attributes of each table, by its name. The first table is the effects' default. */
  tables: { readonly [tableName: string]: readonly string[] };
  /** When the last attempt must end, in epoch milliseconds: at most five minutes from now. */
  deadlineMs: number;
}

/**
 * Commits effects in one transaction, with the layer's retries but without a marker. Conflicts,
 * throttling and lost responses are retried with the same request token, so the effects happen once in
 * this call. Another call with the same effects repeats them.
 *
 * @example
 * ```ts
 * import { commitEffects, createCommitClient } from 'powertools-idempotency-transactional';
 *
 * const awsSdkV3Client = createCommitClient();
 *
 * export const addVisit = () =>
 *   commitEffects(
 *     { increments: [{ key: { PK: 'SHOP', SK: 'TOTAL' }, attribute: 'visits', by: 1 }] },
 *     { awsSdkV3Client, tables: { shops: ['PK', 'SK'] }, deadlineMs: Date.now() + 4_000 },
 *   );
 * ```
 * @throws {ConditionFailedError} if the condition of a write fails. If several do, it's the first.
 * @throws {ItemMissingError} if an increment with `mustExist` doesn't find its item.
 * @throws {CommitDeadlineError} at the deadline. If a response was lost, the effects may have happened.
 * @throws {CommitRejectedError} if DynamoDB rejects the transaction for good. The same holds for it.
 * @throws {InvalidEffectsError} if the effects don't fit into one transaction.
 */
export async function commitEffects(
  effects: Omit<Effects, 'response'>,
  { awsSdkV3Client: client, tables, deadlineMs }: CommitEffectsOptions,
): Promise<void> {
  if (!(deadlineMs <= Date.now() + maxCommitMs)) {
    const range = `an epoch time in milliseconds within the next ${maxCommitMs} ms`;
    throw new UnsafeConfigurationError(`deadlineMs is ${deadlineMs}. Set it to ${range}.`);
  }
  checkEffects(effects);
  const entry: Entry = {
    idempotencyKey: '',
    payloadHash: '',
    actions: toActions(effects, new Map(Object.entries(tables))),
    deadlineMs,
  };
  checkEntry(entry);
  const options = { client, random: Math.random, newToken: randomUUID };
  const [outcome] = await Promise.all(commitEntries(options, [entry]));
  if (outcome instanceof Error) throw outcome;
}
