// The functions import only the types of this file, so none of it is in their bundles.
import * as z from 'zod/mini';
import { codeSchema } from '../keys.ts';
import { daySchema } from './link-request.ts';

/** A number of clicks. */
export const countSchema = z.int().check(z.nonnegative());

/** The answer of create-link. */
export const createLinkAnswerSchema = z.object({
  code: codeSchema,
  shortUrl: z.url(),
  url: z.string(),
});

/** The answer of get-link-stats. */
export const getLinkStatsAnswerSchema = z.object({
  code: codeSchema,
  url: z.string(),
  clicks: countSchema,
  days: z.array(z.object({ date: daySchema, count: countSchema })),
});

/** The body of every error. */
export const errorAnswerSchema = z.object({ message: z.string() });

export type CreateLinkAnswer = z.infer<typeof createLinkAnswerSchema>;
export type GetLinkStatsAnswer = z.infer<typeof getLinkStatsAnswerSchema>;
