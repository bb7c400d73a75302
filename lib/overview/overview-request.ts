import * as z from 'zod/mini';
import { dayMs } from '../days.ts';
import { daySchema, formatSchema, strictQuery } from '../links/api/link-request.ts';
import { maxSearchLength } from '../links/rules/search.ts';
import { filterSchema } from './filter.ts';

const maxDays = 3_700;
const maxTextLength = 200;
const text = (most = maxTextLength) => {
  const expected = `1 to ${most} characters`;
  return z.optional(z.string().check(z.minLength(1, expected), z.maxLength(most, expected)));
};

/** The query of GET /links/overview. Both days are inclusive. */
export const overviewQuerySchema = strictQuery({
  from: daySchema,
  to: daySchema,
  compare: z.optional(z.enum(['before', 'year'], 'before or year')),
  code: text(),
  tag: text(),
  search: text(maxSearchLength),
  filter: z.optional(filterSchema),
  values: z.optional(z.literal('true', 'true')),
  partial: z.optional(z.literal('true', 'true')),
  visitors: z.optional(z.literal('true', 'true')),
  format: formatSchema,
}).check(
  z.refine(({ from, to }) => from <= to, { path: ['from'], error: 'a date on or before "to"' }),
  z.refine(({ from, to }) => Date.parse(to) - Date.parse(from) < maxDays * dayMs, {
    path: ['from'],
    error: `a date at most ${maxDays - 1} days before "to"`,
  }),
);

export type OverviewQuery = z.infer<typeof overviewQuerySchema>;
