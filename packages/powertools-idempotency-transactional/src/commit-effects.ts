import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { checkEntry, toActions } from './actions.ts';
import { commitEntries } from './commit.ts';
import type { Effects } from './effects.ts';
import type { Entry } from './entry.ts';
import { UnsafeConfigurationError } from './errors.ts';

/** DynamoDB remembers a ClientRequestToken for ten minutes, so a retry mustn't come later. */
const maxCommitMs = 5 * 60_000;

/** The options of {@link commitEffects}. */
export interface CommitEffectsOptions {
  /** Created by `createCommitClient`. */
  client: DynamoDBClient;
  /** The key attributes of each table, by its name. The first table is the effects' default. */
  tables: { [tableName: string]: string[] };
  /** When the last attempt must end, in epoch milliseconds: at most five minutes from now. */
  deadlineMs: number;
}

/**
 * Commits effects in one transaction, with the layer's retries but without a marker. Conflicts,
 * throttling and lost answers are retried with the same request token, so the effects happen once in
 * this call. Another call with the same effects repeats them.
 *
 * @throws {ConditionFailedError} if the condition of a write fails. If several do, it's the first.
 * @throws {ItemMissingError} if an increment with `mustExist` doesn't find its item.
 * @throws {CommitDeadlineError} at the deadline. If an answer was lost, the effects may have happened.
 * @throws {CommitRejectedError} if DynamoDB refuses the transaction for good. The same holds for it.
 * @throws {InvalidEffectsError} if the effects don't fit into one transaction.
 */
export async function commitEffects(
  effects: Omit<Effects, 'response'>,
  { client, tables, deadlineMs }: CommitEffectsOptions,
): Promise<void> {
  if (!(deadlineMs <= Date.now() + maxCommitMs)) {
    const range = `an epoch time in milliseconds within the next ${maxCommitMs} ms`;
    throw new UnsafeConfigurationError(`deadlineMs is ${deadlineMs}. Set it to ${range}.`);
  }
  const entry: Entry = {
    idempotencyKey: '',
    payloadHash: '',
    actions: toActions(effects, new Map(Object.entries(tables))),
    deadlineMs,
    failures: { causes: [] },
  };
  checkEntry(entry);
  const options = { client, random: Math.random, newToken: randomUUID };
  const [outcome] = await Promise.all(commitEntries(options, [entry]));
  if (outcome instanceof Error) throw outcome;
}
