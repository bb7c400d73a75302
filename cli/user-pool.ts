import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider';
import type { Stack } from './stack.ts';

export type UserPool = ReturnType<typeof connectUserPool>;

/** A command's user. The e-mail address is the username. */
export interface User {
  email: string;
  stage: string;
  stack: Stack;
  pool: UserPool;
}

/** Connects to a stage's user pool with the caller's AWS credentials. */
export function connectUserPool({ clientConfig, output }: Stack) {
  return {
    id: output('UserPoolId'),
    appClientId: output('CommandClientId'),
    client: new CognitoIdentityProvider(clientConfig.others),
  };
}

/** Whether a command may send a user's password; otherwise, users sign in through a browser. */
export function takesPasswords({ output }: Stack): boolean {
  return output('CommandSignIn') === 'password';
}

/** Signs a user in with a password. Cognito answers with tokens or with a challenge. */
export function sendPassword(
  { client, id, appClientId }: UserPool,
  username: string,
  password: string,
) {
  return client.adminInitiateAuth({
    UserPoolId: id,
    ClientId: appClientId,
    AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
    AuthParameters: { USERNAME: username, PASSWORD: password },
  });
}
