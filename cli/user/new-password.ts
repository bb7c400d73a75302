import {
  DescribeUserPoolCommand,
  type PasswordPolicyType,
} from '@aws-sdk/client-cognito-identity-provider';
import { askSecretly } from '../terminal/ask-secretly.ts';
import { CommandError } from '../terminal/command-error.ts';
import type { UserPool } from '../user-pool.ts';

const remedy = 'Run this in a terminal.';

/**
 * Asks twice for the password that replaces the temporary one.
 * @throws {CommandError} if the two differ or there is no terminal.
 */
export async function chooseNewPassword(pool: UserPool): Promise<string> {
  const policy = await explainPolicy(pool);
  const what = `new password, which replaces the temporary one (${policy})`;
  const password = await askSecretly(what, remedy);
  if ((await askSecretly('new password again', remedy)) === password) return password;
  throw new CommandError(
    'Expected the same new password twice; got two different ones. Run the command again.',
  );
}

/** Describes the pool's password policy, such as `at least 14 characters with a number`. */
export async function explainPolicy({ client, id }: UserPool): Promise<string> {
  const { UserPool } = await client.send(new DescribeUserPoolCommand({ UserPoolId: id }));
  const policy: PasswordPolicyType = UserPool?.Policies?.PasswordPolicy ?? {};
  const characters = [
    policy.RequireLowercase ? 'a lower-case letter' : [],
    policy.RequireUppercase ? 'an upper-case letter' : [],
    policy.RequireNumbers ? 'a number' : [],
    policy.RequireSymbols ? 'a symbol' : [],
  ].flat();
  const length = `at least ${policy.MinimumLength} characters`;
  if (characters.length === 0) return length;
  return `${length} with ${new Intl.ListFormat('en').format(characters)}`;
}
