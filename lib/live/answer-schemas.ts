// The functions import only the types of this file, so their bundles don't contain it.
import * as z from 'zod/mini';

export const messageCountSchema = z.int().check(z.nonnegative());

export const backlogAnswerSchema = z.object({
  waiting: messageCountSchema,
  setAside: messageCountSchema,
  readAt: z.iso.datetime(),
});

export type BacklogAnswer = z.infer<typeof backlogAnswerSchema>;
