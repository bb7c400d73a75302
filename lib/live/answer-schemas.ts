// The functions import only the types of this file, so their bundles don't contain it.
import * as z from 'zod/mini';
import { countSchema } from '../links/answer-schemas.ts';
import { runSchema } from './try-request.ts';

export const messageCountSchema = z.int().check(z.nonnegative());

export const backlogAnswerSchema = z.object({
  waiting: messageCountSchema,
  setAside: messageCountSchema,
  readAt: z.iso.datetime(),
});

export const tryAnswerSchema = z.object({
  run: runSchema,
  messages: messageCountSchema,
  clicks: countSchema,
  reason: z.optional(z.string()),
  attempts: z.int().check(z.minimum(1)),
  attemptSeconds: z.int().check(z.minimum(1)),
});

export const runAnswerSchema = z.object({ counted: countSchema });

export type BacklogAnswer = z.infer<typeof backlogAnswerSchema>;
export type TryAnswer = z.infer<typeof tryAnswerSchema>;
export type RunAnswer = z.infer<typeof runAnswerSchema>;
