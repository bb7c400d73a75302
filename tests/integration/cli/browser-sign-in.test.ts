import { createServer } from 'node:http';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '../../../cli/loopback/http-server.ts';
import { findFreePort } from '../../../cli/loopback/ports.ts';
import { signInByBrowser } from '../../../cli/user/browser-sign-in.ts';
import { startTokenIssuer, type TokenIssuer } from '../../../local/stack/token-issuer.ts';
import { accountAt, startCloudFormation } from '../../helpers/cloud-formation.ts';
import { startCommand } from '../../helpers/command.ts';

const ada = 'ada@example.com';
const soon = { timeout: 30_000 };
let issuer: TokenIssuer;
let cloudFormation: Awaited<ReturnType<typeof startCloudFormation>>;
let client: Parameters<typeof signInByBrowser>[0];

beforeAll(async () => {
  const callback = `http://127.0.0.1:${await findFreePort()}/`;
  issuer = await startTokenIssuer({ commandCallback: callback });
  client = {
    issuer: issuer.issuer,
    clientId: issuer.commandAudience,
    scope: 'openid click-tally/links',
    callback,
  };
  cloudFormation = await startCloudFormation({
    UserPoolId: 'us-east-1_pool',
    CommandClientId: client.clientId,
    CommandSignIn: 'browser',
    CommandCallback: client.callback,
    SignInIssuer: client.issuer,
    SignInScope: client.scope,
    ...{ ApiUrl: 'https://go.example.com', TableName: 'clicks', BusName: 'bus' },
  });
});

afterAll(async () => {
  await cloudFormation.stop();
  await issuer.stop();
});

/** Starts `stage token` for a stage whose users sign in with a browser, and returns the address that it prints. */
async function startSignIn(email = ada) {
  const { child, ended, output } = startCommand(
    'cli/stage.ts',
    ['token', email, '--stage', 'test'],
    {
      ...accountAt(cloudFormation.url),
      // No Cognito answers.
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    },
  );
  onTestFinished(() => void child.kill());
  const readAddress = () => /^http\S+$/m.exec(output())?.[0];
  await expect.poll(readAddress, soon).toBeDefined();
  return { ended, address: `${readAddress()}` };
}

/** Follows the issuer's redirects with its cookies, as a browser does, back to the command. */
async function signInAt(address: string): Promise<Response> {
  const cookies = new Map<string, string>();
  let url = new URL(address);
  while (url.origin === client.issuer) {
    const headers = { accept: 'text/html', cookie: [...cookies.values()].join('; ') };
    const response = await fetch(url, { headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [cookie = ''] = line.split(';');
      cookies.set(`${cookie.split('=')[0]}`, cookie);
    }
    url = new URL(`${response.headers.get('location')}`, url);
  }
  return fetch(url);
}

/** Calls the command back, as the browser does after the issuer's redirect. */
const comeBack = (query: Record<string, string>) =>
  fetch(`${client.callback}?${new URLSearchParams(query)}`);

const readState = (address: string) => new URL(address).searchParams.get('state') ?? '';
const oneLine = (line: string) => new RegExp(`^error: ${line}\n$`, 'm');

describe('user token with a browser sign-in', () => {
  test('prints only the token of the user who signs in, and uses PKCE and a random state', async () => {
    const { ended, address } = await startSignIn();

    const farewell = await signInAt(address);

    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(await farewell.text()).toContain('You may close this page.');
    expect(decodeJwt(stdout.trim())).toMatchObject({
      ...{ sub: 'local-user', client_id: issuer.commandAudience, token_use: 'access' },
      scope: 'openid click-tally/links',
    });
    expect(stderr).toBe(`Open this address in a browser, and sign in as ${ada}:\n${address}\n`);
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
      ...{ client_id: client.clientId, redirect_uri: client.callback, response_type: 'code' },
      ...{ scope: client.scope, code_challenge_method: 'S256', login_hint: ada },
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('ignores callbacks without its state', async () => {
    const { ended, address } = await startSignIn();

    const strangers = [
      await comeBack({ code: 'a-code', state: 'another-state' }),
      await comeBack({ code: 'a-code' }),
      await fetch(`${client.callback}favicon.ico?state=${readState(address)}`),
    ];
    await signInAt(address);

    expect(strangers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await ended).toMatchObject({ code: 0 });
  });

  test.each([
    [
      'a refusal by the issuer',
      { error: 'access_denied', error_description: 'the user \u001b[2J said no' },
      'the issuer answered access_denied: the user \\\\u\\{1b\\}\\[2J said no\\.',
    ],
    ['an invalid code', { code: 'no-code' }, 'the issuer answered invalid_grant: .*'],
  ])('reports %s in one line', async (_, answer, reason) => {
    const { ended, address } = await startSignIn();

    await comeBack({ ...answer, state: readState(address), iss: client.issuer });

    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(oneLine(`${ada} is not signed in: ${reason}`));
  });

  test("does not print another user's token", async () => {
    const { ended, address } = await startSignIn('grace@example.com');

    await signInAt(address);

    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      oneLine(
        `Expected grace@example.com to sign in; the browser is signed in as ${ada}\\. Sign out on the live page, or open the address in a private window\\.`,
      ),
    );
  });
});

test.each<[string, (port: number) => Partial<typeof client>, string]>([
  ['nobody who signs in', () => ({}), 'Nobody signed in within 0s. Run the command again.'],
  [
    'an unreachable issuer',
    () => ({ issuer: 'http://127.0.0.1:2' }),
    'Cannot sign in at http://127.0.0.1:2 (connect ECONNREFUSED',
  ],
  [
    'a port in use',
    (port) => ({ callback: `http://127.0.0.1:${port}/` }),
    'is in use, but the browser must return to it. Stop the program that uses it,',
  ],
])('a browser sign-in reports %s', async (_, change, line) => {
  const { port, stop } = await listen(createServer());
  onTestFinished(stop);
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());

  const signIn = signInByBrowser({ ...client, ...change(port) }, ada, 0);

  await expect(signIn).rejects.toThrow(line);
});
