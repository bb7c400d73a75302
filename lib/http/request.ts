import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { subjectSchema } from '../subject-schema.ts';
import { parse, show } from '../validation.ts';
import { badRequestSubject, HttpError } from './http-error.ts';

const encodings = {
  br: /(^|[\s,])br\s*(;\s*q=(0\.0*[1-9]|1)|,|$)/,
  gzip: /(^|[\s,])gzip\s*(;\s*q=(0\.0*[1-9]|1)|,|$)/,
};

/** Whether a client takes a response in this encoding, by its Accept-Encoding. */
export function takesEncoding(name: keyof typeof encodings, acceptEncoding = ''): boolean {
  return encodings[name].test(acceptEncoding);
}

/** Parses a request's JSON. Throws an `HttpError` of 400. */
export function parseBody<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  return parse(schema, body, badRequestSubject('the body'));
}

/**
 * Parses a request's query. Without one, it's undefined on AWS, and null in serverless-offline. Throws
 * an `HttpError` of 400.
 */
export function parseQuery<T>(
  schema: z.ZodMiniType<T>,
  query: Readonly<Record<string, string | undefined>> | null | undefined,
): T {
  return parse(schema, query ?? {}, badRequestSubject('the query'));
}

/** For a route without parameters, which a program may expect. Throws an `HttpError` of 400 if it has one. */
export function rejectQuery(
  query: Readonly<Record<string, string | undefined>> | null | undefined,
): void {
  const [name] = Object.keys(query ?? {});
  if (name === undefined) return;
  throw new HttpError(400, `Expected a query without parameters; got ${show(name)}.`);
}

/** A whole number of up to four digits in a query. */
export function wholeNumberSchema(min: number, max: number) {
  const expectation = `a whole number from ${min} to ${max}`;
  return z.pipe(
    z.pipe(z.string(expectation).check(z.regex(/^\d{1,4}$/, expectation)), z.transform(Number)),
    z.int().check(z.minimum(min, expectation), z.maximum(max, expectation)),
  );
}

// API Gateway's JWT authorizer puts a verified token's claims here.
const authorizedSchema = z.object({
  authorizer: z.object({
    jwt: z.object({
      claims: z.object({ sub: subjectSchema }),
    }),
  }),
});

/** The caller's id: the `sub` of the verified token. Throws an {@link HttpError} of 401. */
export function readCaller({ requestContext }: APIGatewayProxyEventV2): string {
  const { data } = authorizedSchema.safeParse(requestContext);
  if (data) return data.authorizer.jwt.claims.sub;
  throw new HttpError(401, 'Unauthorized', { 'www-authenticate': 'Bearer' });
}
