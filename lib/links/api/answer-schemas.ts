// The functions import only the types of this file, so their bundles don't contain it.
import * as z from 'zod/mini';
import { breakdowns } from '../../clicks/breakdowns.ts';
import type { Campaign } from '../../clicks/campaign.ts';
import { codeSchema } from '../../code-schema.ts';
import { type FieldName, mapLines, type TextField } from '../rules/link-fields.ts';
import { daySchema } from './link-request.ts';

export const countSchema = z.int().check(z.nonnegative());

const texts = {
  url: z.string(),
  expiresAt: z.optional(z.iso.datetime()),
  ...mapLines(() => z.optional(z.string())),
  tags: z.optional(z.array(z.string())),
  forwardQuery: z.optional(z.literal(true)),
} satisfies Record<TextField, unknown>;

export const createLinkAnswerSchema = z.object({
  code: codeSchema,
  shortUrl: z.url(),
  ...texts,
});

const problem = z.optional(z.string());
/** What's wrong with each field of a request, for the user of a form. An API key has a name. */
const fieldProblemsSchema = z.object({
  url: problem,
  code: problem,
  expiresAt: problem,
  ...mapLines(() => problem),
  tags: problem,
  forwardQuery: problem,
  name: problem,
} satisfies Record<Exclude<FieldName, 'disabled'> | 'name', unknown>);

export const importLinksAnswerSchema = z.object({
  outcomes: z.array(
    z.object({
      outcome: z.enum(['created', 'existing', 'ready', 'refused', 'over-quota']),
      code: z.optional(codeSchema),
      shortUrl: z.optional(z.url()),
      message: z.optional(z.string()),
      fields: z.optional(fieldProblemsSchema),
    }),
  ),
  remaining: z.optional(countSchema),
});

/** A link's clicks in total, by people and by bots. */
export const totalsSchema = z.object({
  clicks: countSchema,
  people: countSchema,
  bots: countSchema,
});

export const linkAnswerSchema = z.object({
  ...createLinkAnswerSchema.shape,
  createdAt: z.iso.datetime(),
  /** When its owner last changed it. */
  updatedAt: z.optional(z.iso.datetime()),
  ...totalsSchema.shape,
  disabled: z.boolean(),
  disabledBy: z.optional(z.enum(['owner', 'operator'])),
  deletedAt: z.optional(z.iso.datetime()),
});

export const deleteLinkAnswerSchema = z.object({
  code: codeSchema,
  deletedAt: z.iso.datetime(),
  /** Until then, at least, it can be restored. */
  keptUntil: z.iso.datetime(),
});

export const valueCountSchema = z.object({ name: z.string(), count: countSchema });

export const breakdownsSchema = z.object(
  Object.fromEntries(breakdowns.map(({ name }) => [name, z.array(valueCountSchema)])),
);

export const campaignValueSchema = z.object({
  ...valueCountSchema.shape,
  people: countSchema,
  undivided: countSchema,
});

export const campaignsSchema = z.partial(
  z.object({
    utm_source: z.array(campaignValueSchema),
    utm_medium: z.array(campaignValueSchema),
    utm_campaign: z.array(campaignValueSchema),
  } satisfies Record<keyof Campaign, unknown>),
);

export const dayCountSchema = z.object({
  date: daySchema,
  count: countSchema,
  people: countSchema,
  bots: countSchema,
  visitors: z.optional(countSchema),
});

/** A link of a list. */
export const listedLinkSchema = z.object({ ...linkAnswerSchema.shape, today: dayCountSchema });

export const listLinksAnswerSchema = z.object({
  links: z.array(listedLinkSchema),
  cursor: z.optional(z.string()),
});

export const getLinkStatsAnswerSchema = z.object({
  ...linkAnswerSchema.shape,
  days: z.array(dayCountSchema),
  breakdowns: breakdownsSchema,
  campaigns: z.optional(campaignsSchema),
  /** Different people in the whole period, and the first day on which they are known, if it isn't the first. */
  visitors: z.optional(countSchema),
  visitorsSince: z.optional(daySchema),
});

export const errorAnswerSchema = z.object({
  message: z.string(),
  fields: z.optional(fieldProblemsSchema),
});

export type CreateLinkAnswer = z.infer<typeof createLinkAnswerSchema>;
export type ImportLinksAnswer = z.infer<typeof importLinksAnswerSchema>;
export type LinkAnswer = z.infer<typeof linkAnswerSchema>;
export type DeleteLinkAnswer = z.infer<typeof deleteLinkAnswerSchema>;
export type ListLinksAnswer = z.infer<typeof listLinksAnswerSchema>;
export type DayCount = z.infer<typeof dayCountSchema>;
export type GetLinkStatsAnswer = z.infer<typeof getLinkStatsAnswerSchema>;
