import {
  type ChallengeNameType,
  CognitoIdentityProviderServiceException,
  type PasswordPolicyType,
} from '@aws-sdk/client-cognito-identity-provider';
import { askSecretly } from '../terminal/ask-secretly.ts';
import { CommandError } from '../terminal/command-error.ts';
import { printLine } from '../terminal/print.ts';
import { sendPassword, takesPasswords, type User, type UserPool } from '../user-pool.ts';
import { signInByBrowser } from './browser-sign-in.ts';

const remedy = 'Run this in a terminal.';

const rejections = new Set([
  'NotAuthorizedException',
  'UserNotFoundException',
  'PasswordResetRequiredException',
  'CodeMismatchException',
  'ExpiredCodeException',
]);

/**
 * Signs the user in and prints the access token alone on stdout. If the stage accepts passwords
 * from commands, the password comes from the environment variable PASSWORD or from the terminal.
 */
export async function printToken(user: User): Promise<void> {
  const { email, stack } = user;
  if (takesPasswords(stack)) return printLine(await signInByPassword(user));
  const client = {
    issuer: stack.output('SignInIssuer'),
    clientId: stack.output('CommandClientId'),
    scope: stack.output('SignInScope'),
    callback: stack.output('CommandCallback'),
  };
  printLine(await signInByBrowser(client, email));
}

async function signInByPassword(user: User): Promise<string> {
  const password =
    process.env.PASSWORD || (await askSecretly(`password of ${user.email}`, 'Set PASSWORD.'));
  try {
    return await signIn(user, password);
  } catch (error) {
    throw await toCommandError(error, user);
  }
}

async function signIn(user: User, password: string): Promise<string> {
  const { email, pool } = user;
  let answer = await sendPassword(pool, email, password);
  while (answer.ChallengeName !== undefined) {
    const { ChallengeName, Session } = answer;
    const ChallengeResponses = { USERNAME: email, ...(await askFor(user, ChallengeName)) };
    answer = await pool.client.adminRespondToAuthChallenge({
      UserPoolId: pool.id,
      ClientId: pool.appClientId,
      ChallengeName,
      Session,
      ChallengeResponses,
    });
  }
  const token = answer.AuthenticationResult?.AccessToken;
  if (token !== undefined) return token;
  throw new CommandError(`Expected Cognito to issue an access token to ${email}; got none.`);
}

async function askFor(user: User, challenge: ChallengeNameType): Promise<Record<string, string>> {
  if (challenge === 'NEW_PASSWORD_REQUIRED') {
    return { NEW_PASSWORD: await chooseNewPassword(user.pool) };
  }
  if (challenge === 'SOFTWARE_TOKEN_MFA') {
    const code = await askSecretly('code of your authenticator app', remedy);
    return { SOFTWARE_TOKEN_MFA_CODE: code };
  }
  if (challenge === 'MFA_SETUP') {
    const page = `${user.stack.output('ApiUrl')}/`;
    throw new CommandError(
      `${user.email} needs an authenticator app for ${user.stack.name}. Sign in on the live page to set it up: ${page}`,
    );
  }
  throw new CommandError(
    `Expected Cognito to ask ${user.email} for a new password or the code of an authenticator app; ` +
      `it asked for ${challenge}, which this command doesn't support.`,
  );
}

async function toCommandError(error: unknown, user: User): Promise<unknown> {
  if (!(error instanceof CognitoIdentityProviderServiceException)) return error;
  const { email, stage, pool } = user;
  const message = error.message.replace(/\.$/, '');
  if (error.name === 'InvalidPasswordException') {
    return new CommandError(
      `Cognito rejected the new password (${message}). Expected ${await explainPolicy(pool)}. ` +
        'Run the command again with the temporary password.',
    );
  }
  if (/temporary password has expired/i.test(message)) {
    return new CommandError(
      `The temporary password of ${email} has expired. ` +
        `Send a new one: npm run stage -- invite ${email} --stage ${stage} --resend`,
    );
  }
  if (!rejections.has(error.name)) return error;
  return new CommandError(`Cognito did not sign ${email} in: ${message}.`);
}

/**
 * Asks twice for the password that replaces the temporary one.
 * @throws {CommandError} if the two differ or there is no terminal.
 */
async function chooseNewPassword(pool: UserPool): Promise<string> {
  const policy = await explainPolicy(pool);
  const what = `new password, which replaces the temporary one (${policy})`;
  const password = await askSecretly(what, remedy);
  if ((await askSecretly('new password again', remedy)) === password) return password;
  throw new CommandError(
    'Expected the same new password twice; got two different ones. Run the command again.',
  );
}

/** Describes the pool's password policy, such as `at least 14 characters with a number`. */
async function explainPolicy({ client, id }: UserPool): Promise<string> {
  const { UserPool } = await client.describeUserPool({ UserPoolId: id });
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
