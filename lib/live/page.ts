import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { httpUrl, nonEmptyString, readEnv } from '../config.ts';
import { HttpError } from '../http/http-error.ts';
import { protectiveHeaders } from '../http/protective-headers.ts';

const expectedFlag = 'true or false';
const pageVariables = z.object({
  STAGE: nonEmptyString,
  JWT_ISSUER: httpUrl,
  JWT_AUDIENCE: nonEmptyString,
  LOGIN_DOMAIN: z.string('a domain or a URL, or empty'),
  SIGN_IN_SCOPE: nonEmptyString,
  LIVE_URL: z.url({ protocol: /^wss?$/, error: 'a ws or wss URL' }),
  RUNBOOK_URL: z.string('a URL, or empty'),
  TRY_IT: z.string(expectedFlag).check(z.regex(/^(true|false)$/, expectedFlag)),
});

type PageSettings = ReturnType<typeof readPageSettings>;

/** What the live page must know, and where it may connect to. Throws `ConfigError`. */
export function readPageSettings() {
  const variables = readEnv(pageVariables);
  return {
    stage: variables.STAGE,
    issuer: variables.JWT_ISSUER,
    clientId: variables.JWT_AUDIENCE,
    loginDomain: variables.LOGIN_DOMAIN,
    scope: variables.SIGN_IN_SCOPE,
    liveUrl: variables.LIVE_URL,
    runbookUrl: variables.RUNBOOK_URL,
    tryIt: variables.TRY_IT === 'true',
  };
}

/** The headers of the page and its files. */
export const pageHeaders = {
  ...protectiveHeaders,
  'strict-transport-security': 'max-age=31536000',
};

/** The answer to a request for an unknown file: the page that names it is of an older version. */
export function noFileError(): HttpError {
  return new HttpError(404, 'There is no such file. Load the page again.');
}

/** The page with its configuration, and a tag of both. */
export function renderPage(template: string, settings: PageSettings) {
  const { issuer, clientId, scope, liveUrl, stage, tryIt, runbookUrl } = settings;
  const config = JSON.stringify({ issuer, clientId, scope, liveUrl, stage, tryIt, runbookUrl });
  const html = template.replace('{{config}}', () => escapeAttribute(config));
  const digest = createHash('sha256').update(html).digest('base64url');
  return { html, etag: `"${digest.slice(0, 22)}"` };
}

/**
 * What the page may load and do: its own files, the API, the live connection and the sign-in service,
 * and nothing else. No inline script or style, no frame, no HTML from text.
 */
export function describePolicy({ issuer, loginDomain, liveUrl }: PageSettings): string {
  const connections = new Set([
    "'self'",
    liveUrl,
    `${issuer.replace(/\/$/, '')}/`,
    ...listOrigins(loginDomain),
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

/** Whether a browser already has what the tag names; its header may list several tags. */
export function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  // The tag has its quotes, which none may contain, so it is found only as a whole.
  return ifNoneMatch?.includes(etag) ?? false;
}

/** Whether a client takes Brotli. */
export function takesBrotli(acceptEncoding = ''): boolean {
  return /(^|[\s,])br\s*(;\s*q=(0\.0*[1-9]|1)|,|$)/.test(acceptEncoding);
}

/** Cognito's login has a domain, the local issuer an address. A stage without a login has neither. */
function listOrigins(loginDomain: string): string[] {
  if (loginDomain === '') return [];
  return [loginDomain.includes('://') ? new URL(loginDomain).origin : `https://${loginDomain}`];
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
