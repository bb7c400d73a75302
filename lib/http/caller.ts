import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { HttpError } from './http-error.ts';

const maxSubjectLength = 128;
// API Gateway's JWT authorizer puts a verified token's claims here.
const authorizedSchema = z.object({
  authorizer: z.object({
    jwt: z.object({
      claims: z.object({ sub: z.string().check(z.minLength(1), z.maxLength(maxSubjectLength)) }),
    }),
  }),
});

/** The caller's id: the `sub` of the verified token. Throws an {@link HttpError} of 401. */
export function readCaller({ requestContext }: APIGatewayProxyEventV2): string {
  const { data } = authorizedSchema.safeParse(requestContext);
  if (data) return data.authorizer.jwt.claims.sub;
  throw new HttpError(401, 'Unauthorized', { 'www-authenticate': 'Bearer' });
}
