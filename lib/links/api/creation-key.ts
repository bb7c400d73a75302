import * as z from 'zod/mini';
import { badRequestSubject } from '../../http/http-error.ts';
import { parse } from '../../validation.ts';

const maxKeyLength = 255;
const expectedKey = `a key of 1 to ${maxKeyLength} letters, digits or any of - _ . : + / =`;

/** Identifies a creation, for one owner. "#" has a meaning in the key of its marker. */
export const creationKeySchema = z
  .string(expectedKey)
  .check(
    z.maxLength(maxKeyLength, { error: expectedKey, abort: true }),
    z.regex(/^[\w.:+/=-]+$/, expectedKey),
  );

/** The header Idempotency-Key: a string in quotes, as in the IETF's draft, or without them. */
const headerSchema = z.pipe(
  z.pipe(
    z.string().check(z.maxLength(maxKeyLength + 2, { error: expectedKey, abort: true })),
    z.transform((text) => /^"(.*)"$/.exec(text)?.[1] ?? text),
  ),
  creationKeySchema,
);

/** Parses the header Idempotency-Key, if a request has it. Throws an `HttpError` of 400. */
export function parseIdempotencyKey(header?: string): string | undefined {
  if (header === undefined) return undefined;
  return parse(headerSchema, header, badRequestSubject('the header Idempotency-Key'));
}
