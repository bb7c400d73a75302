import { UserNotFoundException } from '@aws-sdk/client-cognito-identity-provider';
import { keyCacheSeconds } from '../../lib/api-keys/api-key.ts';
import { revokeAllKeys } from '../../lib/api-keys/api-keys.ts';
import { connectTable } from '../connection.ts';
import { CommandError } from '../terminal/command-error.ts';
import { count, printLine } from '../terminal/print.ts';
import type { User } from '../user-pool.ts';

interface RemoveOptions {
  /** The `sub` of a user who is no longer in the user pool. */
  id?: string;
}

/**
 * Revokes a user's API keys and deletes the user. The keys come first, so that the command can be
 * repeated.
 */
export async function removeUser(user: User, { id }: RemoveOptions): Promise<void> {
  const { email, stack, pool } = user;
  const sub = id ?? (await findSub(user));
  const keys = await revokeAllKeys(connectTable(stack), sub);
  if (id === undefined) {
    await pool.client.adminDeleteUser({ UserPoolId: pool.id, Username: email });
  }
  printLine(`Removed from ${stack.name}: ${email} (${sub}), with ${count(keys, 'API key')}.`);
  printLine(
    `The keys stop working within ${keyCacheSeconds} seconds, and the user's last token within an hour. The links stay: docs/runbook.md#give-a-link-to-another-user`,
  );
}

async function findSub({ email, stack, pool }: User): Promise<string> {
  try {
    const identity = { UserPoolId: pool.id, Username: email };
    const { UserAttributes } = await pool.client.adminGetUser(identity);
    const sub = UserAttributes?.find(({ Name }) => Name === 'sub')?.Value;
    if (sub) return sub;
  } catch (error) {
    if (!(error instanceof UserNotFoundException)) throw error;
  }
  throw new CommandError(
    `${email} is not a user of ${stack.name}. If somebody has already deleted the user, revoke the API keys with --id <sub>.`,
  );
}
