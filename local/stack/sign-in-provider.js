import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { errors, interactionPolicy, Provider, } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { apiScope } from '../api-scope.ts';
import { showError, showSignedOut, showSignIn, signInHeaders, users } from './sign-in-pages.ts';
const hourSeconds = 60 * 60;
const workingDaySeconds = 8 * hourSeconds;
const signInPath = /^\/sign-in\/[\w-]+$/;
/** The API's id for oidc-provider, which issues JWTs only for resources. */
const resource = 'urn:click-tally:api';
const scopes = ['openid', apiScope];
/** All scopes that a client may request. */
export const fullScope = scopes.join(' ');
/**
 * Set in a browser after a sign-out. Each stack has new signing keys, so the next stack ignores the
 * cookie, although it has the same host.
 */
const signedOutCookie = 'signed-out';
/** Creates the OpenID provider, with a page to sign in as one of the predefined users. */
export function createProvider({ onError, ...options }) {
    const provider = new Provider(options.issuer, configure(options));
    provider.use(async (ctx, next) => {
        ctx.set(signInHeaders);
        await (signInPath.test(ctx.path) ? signIn(provider, ctx) : next());
    });
    provider.on('server_error', (_ctx, error) => onError(error));
    return provider;
}
function configure({ clients, key }) {
    return {
        // Restarting the stack signs everyone out.
        adapter: createMemoryAdapter(),
        jwks: { keys: [key] },
        cookies: { keys: [randomBytes(32).toString('base64url')] },
        // Cognito's path, which the verifiers use.
        routes: { jwks: '/.well-known/jwks.json' },
        clients: Object.entries(clients).map(([client_id, addresses]) => ({
            client_id,
            token_endpoint_auth_method: 'none',
            response_types: ['code'],
            grant_types: ['authorization_code', 'refresh_token'],
            redirect_uris: addresses,
            post_logout_redirect_uris: addresses,
        })),
        responseTypes: ['code'],
        clientBasedCORS: (_ctx, origin, { clientId }) => (clients[clientId] ?? []).some((address) => new URL(address).origin === origin),
        scopes,
        claims: { openid: ['sub', 'name', 'email'] },
        findAccount: (_ctx, id) => findAccount(id),
        extraTokenClaims: () => ({ token_use: 'access' }),
        issueRefreshToken: () => true,
        // Like Cognito, but without its grace period: a second use ends the session.
        rotateRefreshToken: true,
        ttl: {
            AccessToken: hourSeconds,
            IdToken: hourSeconds,
            Interaction: hourSeconds,
            RefreshToken: workingDaySeconds,
            Session: workingDaySeconds,
            Grant: workingDaySeconds,
        },
        interactions: {
            policy: interactionPolicy.base().filter(({ name }) => name === 'login'),
            url: (_ctx, { uid }) => `/sign-in/${uid}`,
        },
        loadExistingGrant: grantEverything,
        renderError: (ctx, { error, error_description: reason }) => showError(ctx, reason ?? error),
        features: {
            devInteractions: { enabled: false },
            userinfo: { enabled: false },
            rpInitiatedLogout: {
                enabled: true,
                logoutSource: signOut,
                postLogoutSuccessSource: showSignedOut,
            },
            resourceIndicators: {
                enabled: true,
                defaultResource: () => resource,
                useGrantedResource: () => true,
                getResourceServerInfo: (_ctx, _resource, { clientId }) => ({
                    scope: fullScope,
                    audience: clientId,
                    accessTokenFormat: 'jwt',
                    accessTokenTTL: hourSeconds,
                    jwt: { sign: { alg: 'RS256' } },
                }),
            },
        },
    };
}
/**
 * A browser's first sign-in is as the first user, without asking. After a sign-out or with
 * `prompt=login`, it shows a page with a button for each user.
 */
async function signIn(provider, ctx) {
    const { req, res } = ctx;
    try {
        const { params } = await provider.interactionDetails(req, res);
        const hasSignedOut = ctx.cookies.get(signedOutCookie, { signed: true }) !== undefined;
        const mustAsk = params.prompt === 'login' || hasSignedOut;
        const user = ctx.method === 'POST' ? await readChoice(ctx) : !mustAsk && users[0];
        if (!user)
            return showSignIn(ctx);
        const result = { login: { accountId: user.id } };
        ctx.redirect(await provider.interactionResult(req, res, result));
        ctx.status = 303;
    }
    catch (error) {
        if (!(error instanceof errors.SessionNotFound))
            throw error;
        ctx.status = error.statusCode;
        showError(ctx, 'This sign-in has expired. Go back to click-tally and sign in again.');
    }
}
async function readChoice({ req }) {
    return findUser(new URLSearchParams(await text(req)).get('user'));
}
function findUser(id) {
    return users.find((user) => user.id === id);
}
/** Signs out without confirmation, like Cognito, and returns to the page that requested it. */
async function signOut(ctx) {
    const { session, params } = ctx.oidc;
    // This revokes the session's refresh tokens too.
    await session?.destroy();
    ctx.cookies.set(signedOutCookie, 'yes', { signed: true, sameSite: 'lax' });
    // oidc-provider has checked that this is the client's address.
    const page = params?.post_logout_redirect_uri;
    if (typeof page === 'string')
        ctx.redirect(page);
    else
        showSignedOut(ctx);
}
/** Grants all scopes without asking the user for consent. */
async function grantEverything({ oidc }) {
    const { provider, client, session } = oidc;
    const clientId = client?.clientId;
    const known = session?.grantIdFor(clientId ?? '');
    const found = known && (await provider.Grant.find(known));
    if (found)
        return found;
    const grant = new provider.Grant({ clientId, accountId: session?.accountId });
    grant.addOIDCScope(fullScope);
    grant.addResourceScope(resource, fullScope);
    await grant.save();
    return grant;
}
function findAccount(id) {
    const user = findUser(id);
    if (!user)
        return undefined;
    const { name, email } = user;
    return { accountId: id, claims: () => ({ sub: id, name, email }) };
}
