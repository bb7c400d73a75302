import type * as z from 'zod/mini';
import { HttpError, tooManyRequestsError } from '../../lib/http/http-error.ts';
import { errorAnswerSchema } from '../../lib/links/answer-schemas.ts';
import { goneError, notFoundError } from '../../lib/links/link-request.ts';
import { noFileError } from '../../lib/live/page.ts';

/** An answer with a status. */
export interface Answer {
  description: string;
  headers?: HeaderName[];
  /** The body; an answer without one has no schema. */
  schema?: z.ZodMiniType;
  /** The media types of a body that is not JSON. */
  mediaTypes?: string[];
  /** Bodies that the service really sends, by what they show. */
  examples?: Record<string, unknown>;
}

type HeaderName = keyof typeof headers;
export type SharedAnswerName = keyof typeof sharedAnswers;

/** The headers that matter. A required one is in every answer that lists it. */
export const headers = {
  ETag: {
    description: 'Names this version; sent back in `If-None-Match`, the answer may be 304.',
    required: true,
    schema: { type: 'string', pattern: '^"' },
    example: '"W0YRLmGcdT3tHC9WQpXmZA"',
  },
  'Cache-Control': {
    description: 'Nobody caches an answer, because counts and links change.',
    required: true,
    schema: { const: 'no-store' },
  },
  'X-Content-Type-Options': {
    description: 'The answer is what its content type says, and nothing else.',
    required: true,
    schema: { const: 'nosniff' },
  },
  'Referrer-Policy': {
    description:
      "A redirect has the browsers' default, so that a destination still learns the visitor's origin.",
    required: true,
    schema: { enum: ['no-referrer', 'strict-origin-when-cross-origin'] },
  },
  Location: {
    description: "The link's URL.",
    required: true,
    schema: { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$' },
    example: 'https://example.com/',
  },
  'Retry-After': {
    description: "Seconds until the caller's next minute or, for the quota, the next UTC day.",
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 86_400 },
    example: 3600,
  },
  'WWW-Authenticate': {
    description: 'What is wrong with the token.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer scope="" error="invalid_token" error_description="the token has expired"',
  },
} as const;

/** The headers of every answer that a function gives. */
export const functionHeaders: HeaderName[] = ['X-Content-Type-Options', 'Referrer-Policy'];

/** An answer with a body of its own. The compiler checks the examples. */
export function answer<T extends z.ZodMiniType>(
  description: string,
  schema: T,
  examples: Record<string, z.input<T>>,
): Answer {
  return { description, headers: ['Cache-Control', ...functionHeaders], schema, examples };
}

/** A refusal by a function: each example runs what refuses, and shows the reason. */
export function refusal(description: string, examples: Record<string, () => unknown>): Answer {
  const messages = Object.entries(examples).map(([name, run]) => [name, readReason(run)]);
  return answer(description, errorAnswerSchema, toErrors(Object.fromEntries(messages)));
}

/** The reason of the error that a function throws or returns. */
export function readReason(run: () => unknown): string {
  try {
    const returned = run();
    if (returned instanceof HttpError) return returned.message;
  } catch (error) {
    if (error instanceof HttpError) return error.message;
    throw error;
  }
  throw new Error('expected an example of a refusal to throw or return an HttpError; got none');
}

/** The answers that several routes give. API Gateway gives some of them without any function. */
export const sharedAnswers = {
  Unauthorized: {
    description: 'There is no valid token. API Gateway answers this, and no function runs.',
    headers: ['WWW-Authenticate'],
    schema: errorAnswerSchema,
    examples: toErrors({ noValidToken: 'Unauthorized' }),
  },
  Forbidden: {
    description:
      'The token is valid but lacks the scope, as every ID token does. API Gateway answers ' +
      'this, and no function runs.',
    headers: ['WWW-Authenticate'],
    schema: errorAnswerSchema,
    examples: toErrors({ noScope: 'Forbidden' }),
  },
  NoFile: refusal('There is no such file.', { unknownFile: noFileError }),
  NotFound: refusal('There is no link with this code.', {
    unknownCode: () => notFoundError('nowhere'),
  }),
  NotOwned: refusal("There is no link with this code, or it is someone else's.", {
    unknownCode: () => notFoundError('nowhere'),
  }),
  Gone: refusal('The link is disabled.', {
    disabled: () => goneError('spring'),
  }),
  TooManyRequests: {
    description: 'The API gets more requests than its throttling allows. Send it again later.',
    schema: errorAnswerSchema,
    examples: toErrors({ throttled: 'Too Many Requests' }),
  },
  TooManyOwnerRequests: {
    description: 'The caller sends too many requests in a minute, or the API is throttled.',
    headers: ['Retry-After'],
    schema: errorAnswerSchema,
    examples: toErrors({
      tooMany: readReason(() => tooManyRequestsError(1_200, 48)),
      throttled: 'Too Many Requests',
    }),
  },
  InternalServerError: {
    description: 'The service failed. The reason is in its log.',
    schema: errorAnswerSchema,
    examples: toErrors({ failed: 'Internal Server Error' }),
  },
  ServiceUnavailable: {
    description: 'API Gateway got no answer from the service. Send it again later.',
    schema: errorAnswerSchema,
    examples: toErrors({ unavailable: 'Service Unavailable' }),
  },
} satisfies Record<string, Answer>;

function toErrors(messages: Record<string, string>) {
  return Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, { message }]));
}
