import { createHash } from 'node:crypto';
import { anyText, httpUrl, nonEmptyString, readEnv, urlOf } from '../config.ts';
import { protectiveHeaders } from '../http/http.ts';
/** The live page's settings. Throws `ConfigError`. */
export function readPageSettings() {
    return readEnv({
        STAGE: nonEmptyString,
        JWT_ISSUER: httpUrl,
        JWT_AUDIENCE: nonEmptyString,
        LOGIN_DOMAIN: anyText('a domain or a URL, or empty'),
        SIGN_IN_SCOPE: nonEmptyString,
        LIVE_URL: urlOf('a ws or wss URL', ['ws:', 'wss:']),
    });
}
export const pageHeaders = {
    ...protectiveHeaders,
    'strict-transport-security': 'max-age=31536000',
};
/** The page with its configuration, and an ETag for both. */
export function renderPage(template, settings) {
    const config = JSON.stringify({
        issuer: settings.JWT_ISSUER,
        clientId: settings.JWT_AUDIENCE,
        scope: settings.SIGN_IN_SCOPE,
        liveUrl: settings.LIVE_URL,
        stage: settings.STAGE,
    });
    const html = template.replace('{{config}}', () => escapeAttribute(config));
    const digest = createHash('sha256').update(html).digest('base64url');
    return { html, etag: `"${digest.slice(0, 22)}"` };
}
/**
 * The page's Content Security Policy: its own files, the API, the live connection and the sign-in
 * service. Inline scripts and styles, frames and HTML from text are forbidden.
 */
export function describePolicy(settings) {
    const connections = new Set([
        "'self'",
        settings.LIVE_URL,
        `${settings.JWT_ISSUER.replace(/\/$/, '')}/`,
        ...listOrigins(settings.LOGIN_DOMAIN),
    ]);
    return [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        `connect-src ${[...connections].join(' ')}`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].join('; ');
}
/** Whether a browser already has this version. Its header may list several ETags. */
export function hasTag(ifNoneMatch, etag) {
    // An ETag includes its quotes and can't contain others, so only a whole tag matches.
    return ifNoneMatch?.includes(etag) ?? false;
}
/**
 * Cognito's login has a domain, and the local issuer has a URL. A stage without a login has
 * neither.
 */
function listOrigins(loginDomain) {
    if (loginDomain === '')
        return [];
    return [loginDomain.includes('://') ? new URL(loginDomain).origin : `https://${loginDomain}`];
}
function escapeAttribute(text) {
    return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
