import { CommandError } from '../terminal/command-error.ts';
import { printLine } from '../terminal/print.ts';
import type { User } from '../user-pool.ts';

/**
 * Creates a user, and Cognito e-mails a temporary password. With `resend`, only sends a new one.
 */
export async function inviteUser(
  user: User,
  { resend = false }: { resend?: boolean },
): Promise<void> {
  const { email, stage, stack, pool } = user;
  const action = resend
    ? { MessageAction: 'RESEND' as const }
    : {
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
        ],
      };
  try {
    await pool.client.adminCreateUser({
      UserPoolId: pool.id,
      Username: email,
      // Otherwise, Cognito would send a text message.
      DesiredDeliveryMediums: ['EMAIL'],
      ...action,
    });
  } catch (error) {
    throw toCommandError(error, user);
  }
  printLine(`${resend ? 'Invited again' : 'Invited'} to ${stack.name}: ${email}.`);
  printLine(
    `Cognito sends a temporary password. Then: npm run stage -- token ${email} --stage ${stage}`,
  );
}

function toCommandError(error: unknown, { email, stack }: User): unknown {
  const sentences: Record<string, string> = {
    UsernameExistsException: `${email} is already a user of ${stack.name}. To send a new temporary password, add --resend.`,
    UserNotFoundException: `${email} is not a user of ${stack.name} yet. Leave out --resend.`,
    UnsupportedUserStateException: `${email} has chosen a password for ${stack.name}, so there is nothing to resend. To reset it: docs/deploy.md#the-first-login`,
  };
  const sentence = sentences[(error as Error).name];
  return sentence === undefined ? error : new CommandError(sentence);
}
