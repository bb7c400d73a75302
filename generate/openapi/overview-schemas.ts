import type * as z from 'zod/mini';
import { overviewQuerySchema } from '../../lib/overview/overview-request.ts';
import { overviewAnswerSchema, periodSchema } from '../../lib/overview/overview-schemas.ts';

export const overviewSchemas: Record<string, [schema: z.ZodMiniType, description: string]> = {
  OverviewQuery: [overviewQuerySchema, 'The days, and the links.'],
  OverviewPeriod: [periodSchema, 'Clicks within a range of UTC days, both inclusive.'],
  Overview: [
    overviewAnswerSchema,
    'Clicks on several links. `people` and `bots` are the clicks by people and by bots, not unique visitors. ' +
      '`chosenLinks` is the number of links whose clicks are summed. `oldLinks` is the number of these whose ' +
      'newest clicks there was no time to read, so the sums may be too low: repeat the request to read them.',
  ],
};

export const overviewParameters = {
  compare:
    'Compares the range with the period just before it (calendar months if it consists of them, otherwise ' +
    'as many days), or with the same days a year earlier. Today is left out of both.',
  code: 'Only this link.',
  tag: 'Only links with this tag.',
  search:
    'Only links with all of these words in the short link, URL, tags or other texts, or as their states ' +
    '(`active`, `disabled`, `expires`, `expired`, `taken down`). Case, accents and order are ignored. A pasted ' +
    'short link finds its link.',
  filter:
    'Only clicks with a value of a breakdown or of a campaign parameter, such as `country:DE`. The response has no ' +
    '`values` and no `visitors`: a day has each sum, but not each visit. Clicks that may be by people or by bots, such ' +
    "as a network's, are in neither `people` nor `bots`.",
  partial:
    'If true, the response comes within about a second, with the sums that are stored and as many new ones as there is time for.',
  values: 'If true, the response has breakdowns and campaigns, which take more reads.',
  visitors: 'If true, the response has visitors, which take more reads.',
};

export const overviewFields = {
  readAt: 'When the links were read.',
  days: 'The days that have clicks, oldest first.',
  comparison: 'The two periods that are compared. Missing if the range has no full day.',
  links: 'The links that have clicks in the range, those with the most clicks by people first.',
  unreadVisitors:
    'Why there are no visitors: the links have more days with people than are read, or there was no time.',
  hasMoreLinks:
    'Whether the caller has more links than an overview covers, which is the newest 10,000.',
  unread:
    "With `filter`, how many links and clicks aren't in the numbers, because they're too many or there was no time.",
  values:
    "The range's breakdowns and campaigns. `unread` says how many links and clicks aren't in them.",
};
