import {
  AdminCreateUserCommand,
  UnsupportedUserStateException,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import { CommandError } from '../terminal/command-error.ts';
import { printLine } from '../terminal/print.ts';
import type { User } from '../user-pool.ts';

interface InviteOptions {
  resend?: boolean;
}

/**
 * Creates a user, and Cognito e-mails a temporary password. With `resend`, only sends a new one.
 */
export async function inviteUser(user: User, { resend = false }: InviteOptions): Promise<void> {
  const { email, stage, stack, pool } = user;
  const action = resend
    ? { MessageAction: 'RESEND' as const }
    : {
        UserAttributes: [
          { Name: 'email', Value: email },
          { Name: 'email_verified', Value: 'true' },
        ],
      };
  const identity = { UserPoolId: pool.id, Username: email };
  try {
    // Without a medium, Cognito would send a text message.
    await pool.client.send(
      new AdminCreateUserCommand({ ...identity, ...action, DesiredDeliveryMediums: ['EMAIL'] }),
    );
  } catch (error) {
    throw toCommandError(error, user);
  }
  printLine(`${resend ? 'Invited again' : 'Invited'} to ${stack.name}: ${email}.`);
  printLine(
    `Cognito sends a temporary password. Then: npm run stage -- token ${email} --stage ${stage}`,
  );
}

function toCommandError(error: unknown, { email, stack }: User): unknown {
  const { name } = stack;
  if (error instanceof UsernameExistsException) {
    return new CommandError(
      `${email} is already a user of ${name}. To send a new temporary password, add --resend.`,
    );
  }
  if (error instanceof UserNotFoundException) {
    return new CommandError(`${email} is not a user of ${name} yet. Leave out --resend.`);
  }
  if (error instanceof UnsupportedUserStateException) {
    return new CommandError(
      `${email} has chosen a password for ${name}, so there is nothing to resend. To reset it: docs/deploy.md#the-first-login`,
    );
  }
  return error;
}
