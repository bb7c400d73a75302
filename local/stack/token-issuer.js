import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { defaultPort } from '../../cli/terminal/running-stack.ts';
import { refuseForeignRequests } from '../../loopback/foreign-requests.ts';
import { listen } from '../../loopback/http-server.ts';
import { loopback } from '../../loopback/ports.ts';
import { createProvider, fullScope } from './sign-in-provider.ts';
// API Gateway's JWT authorizers accept only RSA signatures.
const algorithm = 'RS256';
const keyId = 'local';
/** The clients' ids, which are also the `aud` claims of their tokens. */
const pageClientId = 'click-tally-local';
const commandClientId = 'click-tally-local-command';
/**
 * Starts an OpenID provider, with fresh keys, in place of the Cognito user pool and its sign-in. Its
 * URL is also the `iss` claim of its tokens.
 */
export async function startTokenIssuer({ apiPort = defaultPort, commandCallback = 'http://127.0.0.1:8250/', onError = () => undefined, } = {}) {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const key = { ...(await exportJWK(privateKey)), kid: keyId, alg: algorithm, use: 'sig' };
    const server = createServer();
    refuseForeignRequests(server, apiPort);
    const { url: issuer, stop } = await listen(server);
    const pages = [loopback, 'localhost'].map((host) => `http://${host}:${apiPort}/`);
    const clients = { [pageClientId]: pages, [commandClientId]: [commandCallback] };
    server.on('request', createProvider({ issuer, clients, key, onError }).callback());
    /** Signs an access token, by default for the page, with all scopes and valid for a day. */
    const issueToken = ({ subject = 'local-user', expiresIn = '24h', use = 'access', audience = pageClientId, } = {}) => {
        const grants = use === 'access' && { client_id: audience, scope: fullScope };
        return new SignJWT({ token_use: use, ...grants })
            .setProtectedHeader({ alg: algorithm, kid: keyId })
            .setIssuer(issuer)
            .setAudience(audience)
            .setSubject(subject)
            .setIssuedAt()
            .setExpirationTime(expiresIn)
            .sign(privateKey);
    };
    return { issuer, audience: pageClientId, commandAudience: commandClientId, issueToken, stop };
}
