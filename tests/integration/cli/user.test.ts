import { describe, expect, test } from 'vitest';
import { useAccount } from '../../helpers/cloud-formation.ts';
import { mistake, runOperatorCommand } from '../../helpers/operator.ts';
import {
  type Answer,
  answerInTurn,
  answerJson,
  startScriptedService,
} from '../../helpers/scripted-service.ts';
import { type Dialog, runOnTerminal } from '../../helpers/terminal.ts';

const email = 'anna@example.com';
const onStage = [email, '--stage', 'test'];
const stage = 'click-tally-test in us-east-1';
const pool = { UserPoolId: 'us-east-1_pool' };
const client = { ...pool, ClientId: 'the-client' };
const account = useAccount(() => ({
  UserPoolId: pool.UserPoolId,
  CommandClientId: client.ClientId,
  CommandSignIn: 'password',
  ApiUrl: 'https://go.example.com',
  TableName: 'clicks',
}));

const done = answerJson(200, {});
const signedIn = answerJson(200, { AuthenticationResult: { AccessToken: 'a.b.c' } });
const challenge = (ChallengeName: string) =>
  answerJson(200, { ChallengeName, Session: `the session of ${ChallengeName}` });
const reject = (type: string, message: string) => answerJson(400, { __type: type, message });
const policy = answerJson(200, {
  UserPool: {
    Policies: {
      PasswordPolicy: {
        MinimumLength: 14,
        RequireLowercase: true,
        RequireUppercase: true,
        RequireNumbers: true,
        RequireSymbols: false,
      },
    },
  },
});
const newPassword = 'NEW_PASSWORD_REQUIRED';
const app = 'SOFTWARE_TOKEN_MFA';

/** Runs a command against a Cognito that gives these answers in turn, on a terminal if there's a dialog. */
async function run(
  args: string[],
  answers: Answer[],
  { dialog, ...variables }: { PASSWORD?: string; dialog?: Dialog } = {},
) {
  const { url, bodies: sent } = await startScriptedService(answerInTurn(...answers));
  const environment = {
    ...account,
    ...variables,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: url,
    AWS_ENDPOINT_URL_DYNAMODB: url,
  };
  const ended = dialog
    ? await runOnTerminal('cli/stage.ts', args, { environment, dialog })
    : { shown: '', ...(await runOperatorCommand('stage.ts', args, environment)) };
  return { ...ended, sent };
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

const userAttributes = [
  { Name: 'email', Value: email },
  { Name: 'email_verified', Value: 'true' },
];

test.each<[string, string[], string, object]>([
  [
    'creates a user with a verified address, whom Cognito invites',
    [],
    'Invited',
    { UserAttributes: userAttributes },
  ],
  ['sends the invitation again', ['--resend'], 'Invited again', { MessageAction: 'RESEND' }],
])('user invite %s: %j', async (_, options, invited, asked) => {
  const invite = { ...pool, Username: email, DesiredDeliveryMediums: ['EMAIL'], ...asked };

  expect(await run(['invite', ...onStage, ...options], [done])).toMatchObject({
    code: 0,
    stdout:
      `${invited} to ${stage}: ${email}.\n` +
      `Cognito sends a temporary password. Then: npm run stage -- token ${email} --stage test\n`,
    stderr: '',
    sent: [invite],
  });
});

test('user invite says what to do about a rejection', async () => {
  const line = `${email} is not a user of ${stage} yet. Leave out --resend.`;
  const answers = [reject('UserNotFoundException', 'No.')];

  expect(await run(['invite', ...onStage, '--resend'], answers)).toMatchObject(mistake(line));
});

describe('user token', () => {
  const token = ['token', ...onStage];
  const PASSWORD = 'Correct-horse-1';
  const ask = 'Enter the new password again: ';

  test('signs in with PASSWORD and prints only the access token', async () => {
    const sent = [sentPassword(PASSWORD)];

    expect(await run(token, [signedIn], { PASSWORD })).toMatchObject({
      code: 0,
      stdout: 'a.b.c\n',
      stderr: '',
      sent,
    });
  });

  test('asks twice for a new password to replace the temporary one, and for a code of the app', async () => {
    const answers = [challenge(newPassword), policy, challenge(app), signedIn];

    const { shown, ...ended } = await run(token, answers, {
      dialog: [
        [`Enter the password of ${email}: `, 'Temporary-1\r'],
        ['at least 14 characters', `${PASSWORD}\r`],
        [ask, `${PASSWORD}\r`],
        ['Enter the code of your authenticator app: ', '123456\r'],
      ],
    });

    const chosen = answered(newPassword, { NEW_PASSWORD: PASSWORD });
    const code = answered(app, { SOFTWARE_TOKEN_MFA_CODE: '123456' });
    const sent = [sentPassword('Temporary-1'), pool, chosen, code];
    expect(ended).toEqual({ code: 0, stdout: 'a.b.c\n', sent });
    expect(shown).not.toMatch(/Temporary|horse|123456/);
  });

  const prompt = `Enter the password of ${email}: `;
  const chooses = (first: string, again: string): Dialog => [
    [prompt, 'Temporary-1\r'],
    ['at least 14 characters', `${first}\r`],
    [ask, `${again}\r`],
  ];
  const nonconforming = reject('InvalidPasswordException', 'Password did not conform: too short');

  test.each([
    { key: 'Ctrl-D', typed: '\u0004', exitCode: 2, line: 'error: ' },
    { key: 'Ctrl-C', typed: '\u0003', exitCode: 130, line: '' },
  ])('$key at the prompt ends the command without a token', async ({ typed, exitCode, line }) => {
    const { shown, sent, ...ended } = await run(token, [], { dialog: [[prompt, typed]] });

    expect(ended).toEqual({ code: exitCode, stdout: '' });
    expect(sent).toEqual([]);
    expect(shown).toContain(line);
  });

  test.each([
    {
      mistake: 'two different new passwords',
      dialog: chooses(PASSWORD, 'Correct-house-1'),
      answers: [challenge(newPassword), policy],
      line: 'error: Expected the same new password twice; got two different ones. Run the command again.',
    },
    {
      mistake: 'a new password that breaks the policy',
      dialog: chooses('short', 'short'),
      answers: [challenge(newPassword), policy, nonconforming, policy],
      line:
        'error: Cognito rejected the new password (Password did not conform: too short). ' +
        'Expected at least 14 characters with a lower-case letter, an upper-case letter, and a number. ' +
        'Run the command again with the temporary password.',
    },
  ])('$mistake end the command without a token', async ({ dialog, answers, line }) => {
    const { shown, sent, ...ended } = await run(token, answers, { dialog });

    expect(ended).toEqual({ code: 2, stdout: '' });
    expect(sent).toHaveLength(answers.length);
    expect(shown).toContain(line);
  });

  test.each<[string, ...Answer[]]>([
    [
      `Cognito did not sign ${email} in: Incorrect username or password.`,
      reject('NotAuthorizedException', 'Incorrect username or password.'),
    ],
    [
      `The temporary password of ${email} has expired. Send a new one: npm run stage -- invite ${email} --stage test --resend`,
      reject('NotAuthorizedException', 'Temporary password has expired and must be reset.'),
    ],
    [
      'There is no terminal to ask for the code of your authenticator app. Run this in a terminal.',
      challenge(app),
    ],
    [
      `${email} needs an authenticator app for ${stage}. Sign in on the live page to set it up: https://go.example.com/`,
      challenge('MFA_SETUP'),
    ],
  ])('reports in one line: %s', async (line, ...answers) => {
    expect(await run(token, answers, { PASSWORD })).toMatchObject(mistake(line));
  });
});

test.each([
  [
    ['invite', email],
    "Expected --stage; got none. The local stack doesn't need users, because npm start issues a token.",
  ],
  [
    ['token', ...onStage],
    `There is no terminal to ask for the password of ${email}. Set PASSWORD.`,
  ],
])('user %j without what it needs: %s', async (args, line) => {
  expect(await run(args, [])).toMatchObject({ ...mistake(line), sent: [] });
});

describe('user remove', () => {
  const identity = { ...pool, Username: email };
  const found = answerJson(200, { UserAttributes: [{ Name: 'sub', Value: 'sub-1' }] });
  const list = answerJson(200, { Attributes: { ids: { SS: ['4fZ0kQ7bXa'] } } });
  const ofList = { Key: { PK: { S: 'KEYS#sub-1' }, SK: { S: 'KEYS' } } };
  const ofKey = { Key: { PK: { S: 'KEY#4fZ0kQ7bXa' }, SK: { S: 'KEY' } } };

  test("revokes the user's API keys before it deletes the user", async () => {
    const ended = await run(['remove', ...onStage], [found, list, done, done]);

    expect(ended).toMatchObject({ code: 0, stderr: '', sent: [identity, ofList, ofKey, identity] });
    expect(ended.stdout).toContain(`Removed from ${stage}: ${email} (sub-1), with 1 API key.\n`);
  });

  test('says what to do about a user who is already gone, and then revokes the keys', async () => {
    const gone = reject('UserNotFoundException', 'User does not exist.');

    expect(await run(['remove', ...onStage], [gone])).toMatchObject(
      mistake(
        `${email} is not a user of ${stage}. If somebody has already deleted the user, revoke the API keys with --id <sub>.`,
      ),
    );
    const ended = await run(['remove', ...onStage, '--id', 'sub-1'], [list, done]);
    expect(ended).toMatchObject({ code: 0, sent: [ofList, ofKey] });
  });
});
