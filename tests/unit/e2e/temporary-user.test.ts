import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import type { Stack } from '../../../cli/stack.ts';
import { createTemporaryUser } from '../../e2e/temporary-user.ts';
import { answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

let cognito: Awaited<ReturnType<typeof startScriptedService>>;

afterEach(() => cognito.stop());

/** Starts a Cognito that gives these answers in turn, and returns a stack that uses it. */
async function startCognito(...answers: ((response: ServerResponse) => void)[]): Promise<Stack> {
  cognito = await startScriptedService((response) => answers.shift()?.(response));
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const config = { endpoint: cognito.url, region: 'us-east-1', credentials, maxAttempts: 1 };
  return {
    name: 'a stage',
    output: (name) => `the ${name}`,
    clientConfig: { cognito: config } as Partial<Stack['clientConfig']> as Stack['clientConfig'],
  };
}

const done = answerJson(200, {});
const user = { UserPoolId: 'the UserPoolId', Username: 'someone' };

test('a user is created without an email, signed in, and deleted', async () => {
  const signedIn = answerJson(200, { AuthenticationResult: { AccessToken: 'a.b.c' } });
  const stack = await startCognito(done, done, signedIn, done);

  const { token, remove } = await createTemporaryUser(stack, 'someone');
  await remove();

  expect(token).toBe('a.b.c');
  const Password = expect.stringMatching(/^.{14,}aA1$/);
  expect(cognito.bodies).toEqual([
    { ...user, MessageAction: 'SUPPRESS' },
    { ...user, Password, Permanent: true },
    {
      UserPoolId: user.UserPoolId,
      ClientId: 'the UserPoolClientId',
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'someone', PASSWORD: Password },
    },
    user,
  ]);
});

test('a user who cannot sign in is deleted', async () => {
  const challenged = answerJson(200, { ChallengeName: 'SOFTWARE_TOKEN_MFA' });
  const stack = await startCognito(done, done, challenged, done);

  await expect(createTemporaryUser(stack, 'someone')).rejects.toThrow(
    'Expected Cognito to sign someone in; it asked for SOFTWARE_TOKEN_MFA.',
  );

  expect(cognito.bodies.at(-1)).toEqual(user);
});
