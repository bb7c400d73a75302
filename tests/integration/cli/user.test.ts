import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountAt, startCloudFormation } from '../../helpers/cloud-formation.ts';
import { runOperatorCommand } from '../../helpers/operator.ts';
import { answerInTurn, answerJson, startScriptedService } from '../../helpers/scripted-service.ts';
import { type Dialog, runOnTerminal } from '../../helpers/terminal.ts';

const email = 'anna@example.com';
const onStage = [email, '--stage', 'test'];
const pool = { UserPoolId: 'us-east-1_pool' };
const client = { ...pool, ClientId: 'the-client' };

const signedIn = answerJson(200, { AuthenticationResult: { AccessToken: 'a.b.c' } });
const challenge = (ChallengeName: string) =>
  answerJson(200, { ChallengeName, Session: `the session of ${ChallengeName}` });
const refuse = (type: string, message: string) => answerJson(400, { __type: type, message });
const passwordPolicy = {
  ...{ MinimumLength: 14, RequireLowercase: true, RequireUppercase: true },
  ...{ RequireNumbers: true, RequireSymbols: false },
};
const policy = answerJson(200, { UserPool: { Policies: { PasswordPolicy: passwordPolicy } } });

let cloudFormation: Awaited<ReturnType<typeof startCloudFormation>>;

beforeAll(async () => {
  cloudFormation = await startCloudFormation({
    UserPoolId: pool.UserPoolId,
    CommandClientId: client.ClientId,
    CommandSignIn: 'password',
    ApiUrl: 'https://go.example.com',
  });
});

afterAll(() => cloudFormation.stop());

/** Starts a Cognito that gives these answers in turn, and runs commands against it. */
async function startCognito(...answers: Parameters<typeof answerInTurn>) {
  const { url, bodies } = await startScriptedService(answerInTurn(...answers));
  const settings = {
    ...accountAt(cloudFormation.url),
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: url,
  };
  return {
    bodies,
    run: (args: string[], environment: NodeJS.ProcessEnv = {}) =>
      runOperatorCommand('stage.ts', args, { ...settings, ...environment }),
    runOnTerminal: (args: string[], dialog: Dialog, environment: NodeJS.ProcessEnv = {}) =>
      runOnTerminal('cli/stage.ts', ['token', ...args], {
        environment: { ...settings, ...environment },
        dialog,
      }),
  };
}

const sentPassword = (PASSWORD: string) => ({
  ...client,
  AuthFlow: 'ADMIN_USER_PASSWORD_AUTH',
  AuthParameters: { USERNAME: email, PASSWORD },
});
const answered = (ChallengeName: string, answer: Record<string, string>) => ({
  ...client,
  ChallengeName,
  Session: `the session of ${ChallengeName}`,
  ChallengeResponses: { USERNAME: email, ...answer },
});
const oneLine = (line: string) => ({ code: 2, stdout: '', stderr: `error: ${line}\n` });

describe('user invite', () => {
  const invite = { ...pool, Username: email, DesiredDeliveryMediums: ['EMAIL'] };
  const UserAttributes = [
    { Name: 'email', Value: email },
    { Name: 'email_verified', Value: 'true' },
  ];

  test.each([
    [
      'creates a user with a verified address, whom Cognito invites',
      [],
      'Invited',
      { UserAttributes },
    ],
    ['sends the invitation again', ['--resend'], 'Invited again', { MessageAction: 'RESEND' }],
  ])('%s: %j', async (_, options, done, asked) => {
    const { run, bodies } = await startCognito(answerJson(200, {}));

    expect(await run(['invite', ...onStage, ...options])).toEqual({
      code: 0,
      stdout:
        `${done} to click-tally-test in us-east-1: ${email}.\n` +
        `Cognito sends a temporary password. Then: npm run stage -- token ${email} --stage test\n`,
      stderr: '',
    });
    expect(bodies).toEqual([{ ...invite, ...asked }]);
  });

  const inPool = 'click-tally-test in us-east-1';
  test.each([
    [
      `${email} is already a user of ${inPool}. To send a new temporary password, add --resend.`,
      [],
      refuse('UsernameExistsException', 'User account already exists.'),
    ],
    [
      `${email} is not a user of ${inPool} yet. Leave out --resend.`,
      ['--resend'],
      refuse('UserNotFoundException', 'User does not exist.'),
    ],
    [
      `${email} has chosen a password for ${inPool}, so there is nothing to resend. To reset it: docs/deploy.md#the-first-login`,
      ['--resend'],
      refuse('UnsupportedUserStateException', 'Resend not possible.'),
    ],
  ])('reports in one line: %s', async (line, options, answer) => {
    const { run } = await startCognito(answer);

    expect(await run(['invite', ...onStage, ...options])).toEqual(oneLine(line));
  });
});

describe('user token', () => {
  test('signs in with PASSWORD and prints only the access token', async () => {
    const { run, bodies } = await startCognito(signedIn);

    const signIn = await run(['token', ...onStage], { PASSWORD: 'Correct-horse-1' });

    expect(signIn).toEqual({ code: 0, stdout: 'a.b.c\n', stderr: '' });
    expect(bodies).toEqual([sentPassword('Correct-horse-1')]);
  });

  test('asks twice for a new password to replace the temporary one', async () => {
    const required = 'NEW_PASSWORD_REQUIRED';
    const { runOnTerminal, bodies } = await startCognito(challenge(required), policy, signedIn);

    const signIn = await runOnTerminal(onStage, [
      [`Enter the password of ${email}: `, 'Temporary-1\r'],
      ['at least 14 characters', 'Correct-horse-1\r'],
      ['Enter the new password again: ', 'Correct-horse-1\r'],
    ]);

    expect(signIn).toMatchObject({ code: 0, stdout: 'a.b.c\n' });
    expect(signIn.shown).not.toMatch(/Temporary|horse/);
    expect(bodies).toEqual([
      sentPassword('Temporary-1'),
      pool,
      answered(required, { NEW_PASSWORD: 'Correct-horse-1' }),
    ]);
  });

  test.each<[string, string[], Parameters<typeof startCognito>, string]>([
    [
      'differ',
      ['Correct-horse-1', 'Correct-house-1'],
      [],
      'Expected the same new password twice; got two different ones. Run the command again.',
    ],
    [
      'break the policy',
      ['short', 'short'],
      [
        refuse('InvalidPasswordException', 'Password did not conform with policy: too short'),
        policy,
      ],
      'Cognito rejected the new password (Password did not conform with policy: too short). ' +
        'Expected at least 14 characters with a lower-case letter, an upper-case letter, and a number. ' +
        'Run the command again with the temporary password.',
    ],
  ])('reports new passwords that %s', async (_, [first, again], answers, line) => {
    const required = challenge('NEW_PASSWORD_REQUIRED');
    const { runOnTerminal } = await startCognito(required, policy, ...answers);

    const signIn = await runOnTerminal(
      onStage,
      [
        ['at least 14 characters', `${first}\r`],
        ['Enter the new password again: ', `${again}\r`],
      ],
      { PASSWORD: 'Temporary-1' },
    );

    expect(signIn).toMatchObject({ code: 2, stdout: '' });
    expect(signIn.shown.split('\n').at(-2)).toBe(`error: ${line}`);
  });

  test('asks for the code of the authenticator app', async () => {
    const mfa = 'SOFTWARE_TOKEN_MFA';
    const { runOnTerminal, bodies } = await startCognito(challenge(mfa), signedIn);

    const signIn = await runOnTerminal(
      onStage,
      [['Enter the code of your authenticator app: ', '123456\r']],
      { PASSWORD: 'Correct-horse-1' },
    );

    expect(signIn).toMatchObject({ code: 0, stdout: 'a.b.c\n' });
    expect(bodies.at(-1)).toEqual(answered(mfa, { SOFTWARE_TOKEN_MFA_CODE: '123456' }));
  });

  test.each([
    ['nothing', '\r', 2],
    ['Ctrl-D', '\u0004', 2],
    ['Ctrl-C', '\u0003', 130],
  ])('%s at the prompt ends the command without a sign-in', async (_, keys, code) => {
    const { runOnTerminal, bodies } = await startCognito();

    const signIn = await runOnTerminal(onStage, [['Enter the password', keys]]);

    expect(signIn).toMatchObject({ code, stdout: '' });
    expect(bodies).toEqual([]);
  });

  const refused = 'NotAuthorizedException';
  const noTerminal = 'There is no terminal to ask for the';
  test.each([
    [
      `Cognito did not sign ${email} in: Incorrect username or password.`,
      [refuse(refused, 'Incorrect username or password.')],
    ],
    [
      `The temporary password of ${email} has expired. Send a new one: npm run stage -- invite ${email} --stage test --resend`,
      [refuse(refused, 'Temporary password has expired and must be reset by an administrator.')],
    ],
    [
      `${noTerminal} new password, which replaces the temporary one (at least 14 characters with a lower-case letter, an upper-case letter, and a number). Run this in a terminal.`,
      [challenge('NEW_PASSWORD_REQUIRED'), policy],
    ],
    [
      `${noTerminal} code of your authenticator app. Run this in a terminal.`,
      [challenge('SOFTWARE_TOKEN_MFA')],
    ],
    [
      `${email} needs an authenticator app for click-tally-test in us-east-1. Sign in on the live page to set it up: https://go.example.com/`,
      [challenge('MFA_SETUP')],
    ],
    [
      `Expected Cognito to ask ${email} for a new password or the code of an authenticator app; it asked for SMS_MFA, which this command doesn't support.`,
      [challenge('SMS_MFA')],
    ],
  ])('reports in one line: %s', async (line, answers) => {
    const { run } = await startCognito(...answers);
    const signIn = await run(['token', ...onStage], { PASSWORD: 'Some-password-1' });

    expect(signIn).toEqual(oneLine(line));
  });

  test('needs a terminal or PASSWORD', async () => {
    const { run, bodies } = await startCognito();

    expect(await run(['token', ...onStage])).toEqual(
      oneLine(`There is no terminal to ask for the password of ${email}. Set PASSWORD.`),
    );
    expect(bodies).toEqual([]);
  });
});

test.each([
  [
    [email],
    "Expected --stage; got none. The local stack doesn't need users, because npm start issues a token.",
  ],
  [
    ['anna', '--stage', 'test'],
    "command-argument value 'anna' is invalid for argument 'email'. Expected an e-mail address such as anna@example.com. Add --help to see the options.",
  ],
  [[], "missing required argument 'email'. Add --help to see the options."],
  [[email, '--password', 'secret'], "unknown option '--password'. Add --help to see the options."],
])('user invite and user token with %j: %s', async (args, line) => {
  const { run } = await startCognito();

  expect(await run(['invite', ...args])).toEqual(oneLine(line));
  expect(await run(['token', ...args])).toEqual(oneLine(line));
});
