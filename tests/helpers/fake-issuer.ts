import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** An OpenID Connect issuer that signs users in without a prompt. */
export async function createFakeIssuer(origin: () => string) {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'fake', alg: 'RS256', use: 'sig' };
  const state = { hasSession: true };
  const nonces = new Map<string, string>();

  const sign = (claims: object, audience: string) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'fake' })
      .setIssuer(origin())
      .setSubject('ada')
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);

  const authorize = (query: URLSearchParams) => {
    const back = new URL(query.get('redirect_uri') ?? '');
    back.searchParams.set('state', query.get('state') ?? '');
    if (query.get('prompt') === 'none' && !state.hasSession) {
      back.searchParams.set('error', 'login_required');
    } else {
      const code = crypto.randomUUID();
      nonces.set(code, query.get('nonce') ?? '');
      back.searchParams.set('code', code);
      state.hasSession = true;
    }
    return back.href;
  };
  const issue = async (form: URLSearchParams) => {
    const nonce = nonces.get(form.get('code') ?? '');
    const audience = form.get('client_id') ?? '';
    return {
      access_token: await sign({ scope: 'openid' }, audience),
      id_token: await sign({ email: 'ada@example.com', ...(nonce && { nonce }) }, audience),
      refresh_token: 'refresh',
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'openid',
    };
  };
  const metadata = () => ({
    issuer: origin(),
    authorization_endpoint: `${origin()}/auth`,
    token_endpoint: `${origin()}/token`,
    jwks_uri: `${origin()}/jwks`,
    end_session_endpoint: `${origin()}/logout`,
  });

  return {
    state,
    async handle(request: IncomingMessage, response: ServerResponse, body: string) {
      const { pathname, searchParams } = new URL(request.url ?? '/', origin());
      const send = (answer: object) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answer));
      };
      const redirect = (location: string) => response.writeHead(302, { location }).end();
      response.setHeader('access-control-allow-origin', '*');
      if (pathname === '/auth') return redirect(authorize(searchParams));
      if (pathname === '/logout') {
        state.hasSession = false;
        return redirect(searchParams.get('post_logout_redirect_uri') ?? '');
      }
      if (pathname === '/token') return send(await issue(new URLSearchParams(body)));
      if (pathname === '/jwks') return send({ keys: [jwk] });
      return send(metadata());
    },
  };
}
