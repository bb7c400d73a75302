import * as z from 'zod/mini';
import {
  breakdownsSchema,
  campaignsSchema,
  countSchema,
  dayCountSchema,
  totalsSchema,
} from '../links/api/answer-schemas.ts';
import { daySchema } from '../links/api/link-request.ts';

const unreadSchema = z.object({ links: countSchema, clicks: countSchema });

export const periodSchema = z.object({
  from: daySchema,
  to: daySchema,
  ...totalsSchema.shape,
  /** The different people who followed any of the links in the period. */
  visitors: z.optional(countSchema),
});

export const overviewAnswerSchema = z.object({
  ...periodSchema.shape,
  /** The first day on which visitors are known, if it isn't the first with people. */
  visitorsSince: z.optional(daySchema),
  /** Visitors were asked for, but the links have too many days with people in this range. */
  unreadVisitors: z.optional(z.object({ linkDays: countSchema, maxLinkDays: countSchema })),
  readAt: z.iso.datetime(),
  days: z.array(dayCountSchema),
  comparison: z.optional(z.object({ current: periodSchema, before: periodSchema })),
  links: z.array(
    z.object({
      code: z.string(),
      shortUrl: z.url(),
      title: z.optional(z.string()),
      ...totalsSchema.shape,
      visitors: z.optional(countSchema),
    }),
  ),
  chosenLinks: countSchema,
  oldLinks: countSchema,
  hasMoreLinks: z.boolean(),
  unread: z.optional(unreadSchema),
  values: z.optional(
    z.object({
      breakdowns: breakdownsSchema,
      campaigns: campaignsSchema,
      unread: unreadSchema,
    }),
  ),
});

export type OverviewAnswer = z.infer<typeof overviewAnswerSchema>;
