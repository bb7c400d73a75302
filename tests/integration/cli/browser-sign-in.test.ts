import { createServer } from 'node:http';
import { decodeJwt } from 'jose';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { signInByBrowser } from '../../../cli/user/browser-sign-in.ts';
import { startTokenIssuer } from '../../../local/stack/token-issuer.ts';
import { listen } from '../../../loopback/http-server.ts';
import { findFreePort } from '../../../loopback/ports.ts';
import { useAccount } from '../../helpers/cloud-formation.ts';
import { startCommand } from '../../helpers/command.ts';

const ada = 'ada@example.com';
const callback = `http://127.0.0.1:${await findFreePort()}/`;
let client: Parameters<typeof signInByBrowser>[0];

beforeAll(async () => {
  const { issuer, commandAudience, stop } = await startTokenIssuer({ commandCallback: callback });
  const scope = 'openid click-tally/links';
  client = { issuer, clientId: commandAudience, scope, callback };
  return stop;
});

const account = useAccount(() => ({
  UserPoolId: 'us-east-1_pool',
  CommandClientId: client.clientId,
  CommandSignIn: 'browser',
  CommandCallback: callback,
  SignInIssuer: client.issuer,
  SignInScope: client.scope,
  ApiUrl: 'https://go.example.com',
  TableName: 'clicks',
  BusName: 'bus',
}));

/** Starts a sign-in. Returns it with the address that it prints. */
async function startSignIn(email = ada) {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const token = signInByBrowser(client, email).catch(({ message }: Error) => message);
  return { token, address: await readAddress(() => write.mock.calls.join('')) };
}

async function readAddress(output: () => string): Promise<string> {
  const read = () => /^http\S+$/m.exec(output())?.[0];
  await expect.poll(read, { timeout: 30_000 }).toBeDefined();
  return `${read()}`;
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
  fetch(`${callback}?${new URLSearchParams(query)}`);

const readState = (address: string) => new URL(address).searchParams.get('state') ?? '';

test('stage token prints only the token of the user who signs in, and uses PKCE and a random state', async () => {
  // No Cognito answers.
  const environment = { ...account, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' };
  const args = ['token', ada, '--stage', 'test'];
  const { child, ended, output } = startCommand('cli/stage.ts', args, environment);
  onTestFinished(() => void child.kill());
  const address = await readAddress(output);

  const farewell = await signInAt(address);

  const { code, stdout, stderr } = await ended;
  expect(code).toBe(0);
  expect(await farewell.text()).toContain('You may close this page.');
  expect(decodeJwt(stdout.trim())).toMatchObject({
    sub: 'local-user',
    client_id: client.clientId,
    token_use: 'access',
    scope: client.scope,
  });
  expect(stderr).toBe(`Open this address in a browser, and sign in as ${ada}:\n${address}\n`);
  expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
    client_id: client.clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: client.scope,
    code_challenge_method: 'S256',
    login_hint: ada,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test("a browser sign-in ignores callbacks without its state, and rejects another user's token", async () => {
  const { token, address } = await startSignIn('grace@example.com');

  const strangers = [
    await comeBack({ code: 'a-code', state: 'another-state' }),
    await comeBack({ code: 'a-code' }),
    await fetch(`${callback}favicon.ico?state=${readState(address)}`),
  ];
  await signInAt(address);

  expect(strangers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(await token).toBe(
    `Expected grace@example.com to sign in; the browser is signed in as ${ada}. Sign out on the live page, or open the address in a private window.`,
  );
});

test.each([
  [
    { error: 'access_denied', error_description: 'the user \u001b[2J said no' },
    'access_denied: the user \\u{1b}[2J said no.',
  ],
  [{ code: 'no-code' }, 'invalid_grant: '],
])("a browser sign-in reports the issuer's rejection of %j", async (answer, reason) => {
  const { token, address } = await startSignIn();

  await comeBack({ ...answer, state: readState(address), iss: client.issuer });

  expect(await token).toContain(`${ada} is not signed in: the issuer answered ${reason}`);
});

test('a browser sign-in reports an unreachable issuer and a port in use', async () => {
  const { port, stop } = await listen(createServer());
  onTestFinished(stop);
  const signIn = (change: Partial<typeof client>) => signInByBrowser({ ...client, ...change }, ada);

  await expect(signIn({ issuer: 'http://127.0.0.1:2' })).rejects.toThrow(
    'Cannot sign in at http://127.0.0.1:2 (connect ECONNREFUSED',
  );
  await expect(signIn({ callback: `http://127.0.0.1:${port}/` })).rejects.toThrow(
    'is in use, but the browser must return to it. Stop the program that uses it,',
  );
});
