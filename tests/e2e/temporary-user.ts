import { randomBytes } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminInitiateAuthCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Stack } from '../../cli/stack.ts';

/** Creates a user in the stack's pool with the caller's AWS credentials, and signs in. */
export async function createTemporaryUser(stack: Stack, name: string) {
  const client = new CognitoIdentityProviderClient(stack.clientConfig.cognito);
  const user = { UserPoolId: stack.output('UserPoolId'), Username: name };
  const remove = async () => {
    await client.send(new AdminDeleteUserCommand(user));
    client.destroy();
  };
  await client.send(new AdminCreateUserCommand({ ...user, MessageAction: 'SUPPRESS' }));
  try {
    return { token: await signIn(client, user, stack.output('UserPoolClientId')), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function signIn(
  client: CognitoIdentityProviderClient,
  user: { UserPoolId: string; Username: string },
  clientId: string,
): Promise<string> {
  // The suffix satisfies any password policy.
  const password = `${randomBytes(24).toString('base64url')}-aA1`;
  await client.send(
    new AdminSetUserPasswordCommand({ ...user, Password: password, Permanent: true }),
  );
  const { AuthenticationResult, ChallengeName } = await client.send(
    new AdminInitiateAuthCommand({
      UserPoolId: user.UserPoolId,
      ClientId: clientId,
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: user.Username, PASSWORD: password },
    }),
  );
  if (AuthenticationResult?.AccessToken) return AuthenticationResult.AccessToken;
  throw new Error(`Expected Cognito to sign ${user.Username} in; it asked for ${ChallengeName}.`);
}
