import {
  FetchError,
  JwksValidationError,
  JwtBaseError,
  JwtExpiredError,
  JwtInvalidIssuerError,
  JwtInvalidSignatureError,
  JwtParseError,
  KidNotFoundInJwksError,
} from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { JwtVerifier } from 'aws-jwt-verify/jwt-verifier';
import * as z from 'zod/mini';
import { subjectSchema } from '../subject-schema.ts';
import { logger } from '../telemetry/powertools.ts';

const keysTimeoutMs = 2_000;
const audienceSchema = z.union([z.string(), z.array(z.string())]);
const claimsSchema = z.object({
  sub: subjectSchema,
  exp: z.int(),
  aud: z.optional(audienceSchema),
  client_id: z.optional(z.string()),
  scope: z.optional(z.string()),
});

/** The token's user, and its expiry in epoch seconds. */
interface Bearer {
  sub: string;
  expiresAt: number;
}

interface TokenRequirements {
  issuer: string;
  audience: string;
  /** A token must have one of these. ID tokens don't have scopes. */
  scopes: string[];
}

/**
 * Checks an issuer's tokens as API Gateway's JWT authorizers do. The audience is in `aud` or, in a
 * token without one, in `client_id`. One of the scopes is in `scope`. An invalid token's user is
 * undefined. The issuer's keys are read once. The check throws if they can't be read.
 */
export function createTokenCheck({ issuer, ...required }: TokenRequirements) {
  const jwksCache = new SimpleJwksCache({ fetcher: { fetch: fetchKeys } });
  // The audience is checked below, because Cognito's access tokens don't have `aud`.
  const verifier = JwtVerifier.create({ issuer, audience: null }, { jwksCache });
  return async (token: string): Promise<Bearer | undefined> => {
    try {
      const { data } = claimsSchema.safeParse(await verifier.verify(token));
      const reason = data ? findMismatch(data, required) : 'claims';
      if (data && !reason) return { sub: data.sub, expiresAt: data.exp };
      logger.info('token rejected', { reason });
    } catch (error) {
      if (!isInvalidToken(error)) throw error;
      logger.info('token rejected', { reason: reasonOf(error) });
    }
    return undefined;
  };
}

/** Finds the requirement that the claims don't meet; undefined if they meet both. */
function findMismatch(
  { aud, client_id, scope = '' }: z.infer<typeof claimsSchema>,
  { audience, scopes }: Omit<TokenRequirements, 'issuer'>,
): 'audience' | 'scope' | undefined {
  if (![aud ?? client_id].flat().includes(audience)) return 'audience';
  const granted = scope.split(' ');
  return scopes.some((accepted) => granted.includes(accepted)) ? undefined : 'scope';
}

async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  const signal = AbortSignal.timeout(keysTimeoutMs);
  try {
    const response = await fetch(uri, { signal });
    if (response.ok) return await response.arrayBuffer();
    throw new Error(`expected status 200; got ${response.status}`);
  } catch (error) {
    throw new FetchError(uri, error);
  }
}

/** The reason to log. The error's own message may quote the token. */
function reasonOf(error: JwtBaseError): string {
  if (error instanceof JwtExpiredError) return 'expired';
  if (error instanceof JwtInvalidIssuerError) return 'issuer';
  if (error instanceof JwtInvalidSignatureError) return 'signature';
  if (error instanceof JwtParseError) return 'malformed';
  return error instanceof KidNotFoundInJwksError ? 'unknown key' : 'other';
}

function isInvalidToken(error: unknown): error is JwtBaseError {
  const isIssuersFault = error instanceof FetchError || error instanceof JwksValidationError;
  return error instanceof JwtBaseError && !isIssuersFault;
}
