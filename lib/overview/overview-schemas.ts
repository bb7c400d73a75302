import * as z from 'zod/mini';
import {
  breakdownsSchema,
  campaignsSchema,
  countSchema,
  dayCountSchema,
  totalsSchema,
} from '../links/api/answer-schemas.ts';
import { daySchema } from '../links/api/link-request.ts';

export const periodSchema = z.object({ from: daySchema, to: daySchema, ...totalsSchema.shape });

export const overviewAnswerSchema = z.object({
  ...periodSchema.shape,
  readAt: z.iso.datetime(),
  days: z.array(dayCountSchema),
  comparison: z.optional(z.object({ current: periodSchema, before: periodSchema })),
  links: z.array(
    z.object({
      code: z.string(),
      shortUrl: z.url(),
      title: z.optional(z.string()),
      ...totalsSchema.shape,
    }),
  ),
  chosenLinks: countSchema,
  oldLinks: countSchema,
  hasMoreLinks: z.boolean(),
  values: z.optional(
    z.object({
      breakdowns: breakdownsSchema,
      campaigns: campaignsSchema,
      unread: z.object({ links: countSchema, clicks: countSchema }),
    }),
  ),
});

export type OverviewAnswer = z.infer<typeof overviewAnswerSchema>;
