import { expect, test } from 'vitest';
import type { Stack } from '../../../cli/stack.ts';
import { createTemporaryUser } from '../../e2e/temporary-user.ts';
import { answerInTurn, answerJson, startScriptedService } from '../../helpers/scripted-service.ts';

/** Starts a Cognito that gives these answers in turn, with a stack that uses it. */
async function startCognito(...answers: Parameters<typeof answerInTurn>) {
  const { url, bodies } = await startScriptedService(answerInTurn(...answers));
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const config = { endpoint: url, region: 'us-east-1', credentials, maxAttempts: 1 };
  const clientConfig = { cognito: config } as Partial<Stack['clientConfig']>;
  const output = (name: string) => `the ${name}`;
  return { stack: { name: 'a stage', output, clientConfig } as Stack, bodies };
}

const done = answerJson(200, {});
const user = { UserPoolId: 'the UserPoolId', Username: 'someone' };

test('a user is created without an email, signed in, and deleted', async () => {
  const signedIn = answerJson(200, { AuthenticationResult: { AccessToken: 'a.b.c' } });
  const { stack, bodies } = await startCognito(done, done, signedIn, done);

  const { token, remove } = await createTemporaryUser(stack, 'someone');
  await remove();

  expect(token).toBe('a.b.c');
  const Password = expect.stringMatching(/^.{14,}aA1$/);
  expect(bodies).toEqual([
    { ...user, MessageAction: 'SUPPRESS' },
    { ...user, Password, Permanent: true },
    {
      UserPoolId: user.UserPoolId,
      ClientId: 'the CommandClientId',
      AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'someone', PASSWORD: Password },
    },
    user,
  ]);
});

test('a user who cannot sign in is deleted', async () => {
  const challenged = answerJson(200, { ChallengeName: 'SOFTWARE_TOKEN_MFA' });
  const { stack, bodies } = await startCognito(done, done, challenged, done);

  await expect(createTemporaryUser(stack, 'someone')).rejects.toThrow(
    'Expected Cognito to sign someone in; it asked for SOFTWARE_TOKEN_MFA.',
  );

  expect(bodies.at(-1)).toEqual(user);
});
