import * as z from 'zod/mini';
import { parse, type Subject } from '../validation.ts';
import { HttpError } from './http-error.ts';

/** Names a part of the request. If it's invalid, the response is a 400 with the reason. */
export function badRequestSubject(name: string): Subject {
  return { name, refuse: (reason, _, fields) => new HttpError(400, reason, {}, fields) };
}

/** Parses a request's JSON. Throws an {@link HttpError} of 400. */
export function parseBody<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  return parse(schema, body, badRequestSubject('the body'));
}

/** Parses a request's query. Throws an {@link HttpError} of 400. */
export function parseQuery<T>(
  schema: z.ZodMiniType<T>,
  query: Readonly<Record<string, string | undefined>> = {},
): T {
  return parse(schema, query, badRequestSubject('the query'));
}

/** A whole number of up to three digits in a query. */
export function wholeNumberSchema(min: number, max: number) {
  const expectation = `a whole number from ${min} to ${max}`;
  return z.pipe(
    z.pipe(z.string(expectation).check(z.regex(/^\d{1,3}$/, expectation)), z.transform(Number)),
    z.int().check(z.minimum(min, expectation), z.maximum(max, expectation)),
  );
}
