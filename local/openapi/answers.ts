import type * as z from 'zod/mini';
import { errorAnswerSchema } from '../../lib/links/answer-schemas.ts';

/** An answer with a status. */
export interface Answer {
  description: string;
  headers?: HeaderName[];
  /** The body; an answer without one has no schema. */
  schema?: z.ZodMiniType;
  /** Bodies that the service really sends, by what they show. */
  examples?: Record<string, unknown>;
}

export type HeaderName = keyof typeof headers;
export type SharedAnswerName = keyof typeof sharedAnswers;

/** The headers that matter. A required one is in every answer that lists it. */
export const headers = {
  'Cache-Control': {
    description: 'Nobody caches an answer, because counts and links change.',
    required: true,
    schema: { const: 'no-store' },
  },
  Location: {
    description: "The link's URL.",
    required: true,
    schema: { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$' },
    example: 'https://example.com/',
  },
  'Retry-After': {
    description: 'Seconds until the next UTC day. Only if the quota is the reason.',
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

/** An answer with a body of its own. The compiler checks the examples. */
export function answer<T extends z.ZodMiniType>(
  description: string,
  schema: T,
  examples: Record<string, z.input<T>>,
): Answer {
  return { description, headers: ['Cache-Control'], schema, examples };
}

/** A refusal by a function, with messages that it really sends. */
export function refusal(description: string, messages: Record<string, string>): Answer {
  return answer(description, errorAnswerSchema, toErrors(messages));
}

/** The answers that several routes give. API Gateway gives some of them without any function. */
export const sharedAnswers = {
  Unauthorized: {
    description: 'There is no valid token. API Gateway answers this, and no function runs.',
    headers: ['WWW-Authenticate'],
    schema: errorAnswerSchema,
    examples: toErrors({ noValidToken: 'Unauthorized' }),
  },
  NotFound: refusal('There is no link with this code.', {
    unknownCode: 'There is no link with the code "nowhere".',
  }),
  NotOwned: refusal("There is no link with this code, or it is someone else's.", {
    unknownCode: 'There is no link with the code "nowhere".',
  }),
  Gone: refusal('The link is disabled.', {
    disabled: 'The link with the code "spring" is disabled.',
  }),
  TooManyRequests: {
    description: 'The API gets more requests than its throttling allows. Send it again later.',
    schema: errorAnswerSchema,
    examples: toErrors({ throttled: 'Too Many Requests' }),
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
