import type * as z from 'zod/mini';
import {
  createLinkAnswerSchema,
  getLinkStatsAnswerSchema,
} from '../../lib/links/answer-schemas.ts';
import { dayRangeSchema, newLinkSchema } from '../../lib/links/link-request.ts';
import { type Answer, answer, refusal, type SharedAnswerName } from './answers.ts';

/** A route of the API. */
export interface Route {
  method: 'get' | 'head' | 'patch' | 'post';
  path: string;
  /** The function that answers; for HEAD with `-head`, because each id is unique. */
  operationId: string;
  summary: string;
  description: string;
  /** True if the route takes no token. */
  isPublic?: boolean;
  /** The query, by its fields. */
  query?: z.ZodMiniType;
  body?: { schema: z.ZodMiniType; examples: Record<string, unknown> };
  answers: Record<number, Answer | SharedAnswerName>;
}

const code = 'spring';
const url = 'https://example.com/';
const shortUrl = `https://go.example.com/${code}`;

const stats = {
  ...{ code, url, clicks: 4, bots: 1 },
  days: [{ date: '2026-05-26', count: 4, bots: 1 }],
  breakdowns: {
    visitor: [
      { name: 'human', count: 3 },
      { name: 'bot', count: 1 },
    ],
    device: [
      { name: 'mobile', count: 2 },
      { name: 'desktop', count: 1 },
      { name: 'other', count: 1 },
    ],
    referrer: [
      { name: 'direct', count: 3 },
      { name: 'google', count: 1 },
    ],
    hour: [
      { name: '09', count: 1 },
      { name: '17', count: 3 },
    ],
  },
};

const failures = {
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const;

const redirects: Route['answers'] = {
  302: { description: 'The link leads to `Location`.', headers: ['Location', 'Cache-Control'] },
  404: 'NotFound',
  ...failures,
};

/** The routes that serverless.yml gives to the functions. */
export const routes: Route[] = [
  {
    method: 'post',
    path: '/links',
    operationId: 'create-link',
    summary: 'Create a link.',
    description: 'Creates a link under a code of your choice, or under a new one.',
    body: body(newLinkSchema, { ownCode: { url, code }, newCode: { url } }),
    answers: {
      201: answer('The link exists.', createLinkAnswerSchema, { created: { code, shortUrl, url } }),
      400: refusal('The body is not JSON, or a field is invalid. The message names each.', {
        noJson: 'expected the body to be JSON; got "url=a"',
        noUrl: 'expected url to be an absolute http or https URL; got "example.com"',
      }),
      401: 'Unauthorized',
      409: refusal('Another link has the code.', {
        taken: 'The code spring is taken; choose another or leave it out.',
      }),
      ...failures,
    },
  },
  {
    method: 'get',
    path: '/links/{code}/stats',
    operationId: 'get-link-stats',
    summary: "Read a link's clicks.",
    description:
      "Reads a link's total of clicks, its clicks by UTC day, and the breakdowns of these days. A " +
      'click takes a moment to count. The range includes both ends; it limits all but the total.',
    query: dayRangeSchema,
    answers: {
      200: answer("The link's clicks.", getLinkStatsAnswerSchema, {
        counted: stats,
      }),
      400: refusal('A date is invalid, or the range ends before it begins.', {
        noDate: 'expected from to be a date such as 2026-05-26; got "yesterday"',
      }),
      401: 'Unauthorized',
      404: 'NotFound',
      ...failures,
    },
  },
  {
    method: 'get',
    path: '/{code}',
    operationId: 'resolve-link',
    summary: 'Follow a link.',
    description: 'Redirects the visitor, and counts the click. A prefetch is no click.',
    isPublic: true,
    answers: redirects,
  },
  {
    method: 'head',
    path: '/{code}',
    operationId: 'resolve-link-head',
    summary: 'See where a link leads.',
    description: 'Answers as GET does, without a body, and counts no click.',
    isPublic: true,
    answers: redirects,
  },
];

function body<T extends z.ZodMiniType>(schema: T, examples: Record<string, z.input<T>>) {
  return { schema, examples };
}
