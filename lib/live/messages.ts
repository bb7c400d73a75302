// The functions and the page import only the types of this file, so their bundles don't contain it.
import * as z from 'zod/mini';
import { codeSchema } from '../code-schema.ts';
import { breakdownsSchema, dayCountSchema, totalsSchema } from '../links/api/answer-schemas.ts';

/** The response to `watch`: the links that the connection now watches, and the rejected ones. */
const watchingMessageSchema = z.strictObject({
  type: z.literal('watching'),
  links: z.array(z.strictObject({ code: codeSchema, ...totalsSchema.shape })),
  refused: z.array(codeSchema),
});

/** A day as GET /links/{code}/stats shows it, with that day's breakdowns. */
const dayCountsSchema = z.strictObject({
  ...dayCountSchema.shape,
  breakdowns: breakdownsSchema,
});

/** A link's new numbers: its totals, if they're known, and the days that changed. */
const linkCountsSchema = z.strictObject({
  code: codeSchema,
  ...z.partial(totalsSchema).shape,
  days: z.array(dayCountsSchema),
});

/** New numbers of watched links. They are absolute, so the greatest value is the newest. */
const countsMessageSchema = z.strictObject({
  type: z.literal('counts'),
  links: z.array(linkCountsSchema),
});

/** Every message that the service sends to the live page. */
export const serverMessageSchema = z.discriminatedUnion('type', [
  watchingMessageSchema,
  countsMessageSchema,
  z.strictObject({ type: z.literal('pong') }),
  z.strictObject({ type: z.literal('error'), message: z.string() }),
]);

export type WatchingMessage = z.infer<typeof watchingMessageSchema>;
export type Totals = z.infer<typeof totalsSchema>;
export type DayCounts = z.infer<typeof dayCountsSchema>;
export type LinkCounts = z.infer<typeof linkCountsSchema>;
export type CountsMessage = z.infer<typeof countsMessageSchema>;
export type ServerMessage = z.infer<typeof serverMessageSchema>;

export const messageCountSchema = z.int().check(z.nonnegative());

export const backlogAnswerSchema = z.object({
  waiting: messageCountSchema,
  deadLetters: messageCountSchema,
  readAt: z.iso.datetime(),
});

export type BacklogAnswer = z.infer<typeof backlogAnswerSchema>;
