import type * as z from 'zod/mini';
import { createLinkAnswerSchema, getLinkStatsAnswerSchema } from '../../lib/links/link-answer.ts';
import { dayRangeSchema, newLinkSchema } from '../../lib/links/link-request.ts';
import { type Answer, answer, refusal, type SharedAnswerName } from './answers.ts';

/** A route of the API. */
export interface Route {
  method: 'get' | 'head' | 'patch' | 'post';
  path: string;
  /** The function that answers. */
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

const failures = {
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const;

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
      "Reads a link's total of clicks, and its clicks by UTC day. A click takes a moment to count. " +
      'The range includes both ends and limits the days, not the total.',
    query: dayRangeSchema,
    answers: {
      200: answer("The link's clicks.", getLinkStatsAnswerSchema, {
        counted: { code, url, clicks: 4, days: [{ date: '2026-05-26', count: 4 }] },
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
    description: 'Redirects the visitor, and counts the click.',
    isPublic: true,
    answers: {
      302: { description: 'The link leads to `Location`.', headers: ['Location', 'Cache-Control'] },
      404: 'NotFound',
      ...failures,
    },
  },
];

function body<T extends z.ZodMiniType>(schema: T, examples: Record<string, z.input<T>>) {
  return { schema, examples };
}
