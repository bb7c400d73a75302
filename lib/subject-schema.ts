import * as z from 'zod/mini';

const maxLength = 128;

/** A user's id: the `sub` of a token. */
export const subjectSchema = z.string().check(z.minLength(1), z.maxLength(maxLength));
