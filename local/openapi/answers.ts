import type * as z from 'zod/mini';
import {
  HttpError,
  invalidKeyError,
  noFileError,
  tooManyRequestsError,
} from '../../lib/http/http-error.ts';
import { errorAnswerSchema } from '../../lib/links/answer-schemas.ts';
import { expiredError, goneError, notFoundError } from '../../lib/links/code.ts';

export interface Answer {
  description: string;
  headers?: HeaderName[];
  /** The schema of a JSON body. */
  schema?: z.ZodMiniType;
  /** The media types of bodies that aren't JSON. */
  mediaTypes?: string[];
  /** Actual bodies that the service sends, by name. */
  examples?: Record<string, unknown>;
}

type HeaderName = keyof typeof headers;
export type SharedAnswerName = keyof typeof sharedAnswers;

/** A required header is in every response that lists it. */
export const headers = {
  ETag: {
    description:
      'Identifies this version. Send it in `If-None-Match` to get 304 if nothing has changed.',
    required: true,
    schema: { type: 'string', pattern: '^"' },
    example: '"W0YRLmGcdT3tHC9WQpXmZA"',
  },
  'Cache-Control': {
    description: "Responses aren't cached, because counts and links change.",
    required: true,
    schema: { const: 'no-store' },
  },
  'Page.Cache-Control': {
    description: 'Browsers keep the page, but ask each time whether it has changed.',
    required: true,
    schema: { const: 'no-cache' },
  },
  'File.Cache-Control': {
    description: "A file's content never changes.",
    required: true,
    schema: { const: 'public, max-age=31536000, immutable' },
  },
  'Content-Security-Policy': {
    description: 'What a page may load. Responses in JSON lack it.',
    required: false,
    schema: { type: 'string', pattern: "^default-src 'none';" },
  },
  'Cross-Origin-Opener-Policy': {
    description: "Other sites' windows can't reach the page.",
    required: true,
    schema: { const: 'same-origin' },
  },
  'Strict-Transport-Security': {
    description: 'Browsers use only HTTPS for this host.',
    required: true,
    schema: { const: 'max-age=31536000' },
  },
  'Content-Language': {
    description: "The page's language. Responses in JSON lack it.",
    required: false,
    schema: { enum: ['en', 'de'] },
  },
  Vary: {
    description: 'The response depends on these headers.',
    required: true,
    schema: { type: 'string', pattern: 'accept-encoding' },
    example: 'accept-encoding',
  },
  'X-Content-Type-Options': {
    description: 'Browsers must trust the content type.',
    required: true,
    schema: { const: 'nosniff' },
  },
  'Referrer-Policy': {
    description:
      "Redirects use the browsers' default, so destinations still learn the visitor's origin.",
    required: true,
    schema: { enum: ['no-referrer', 'strict-origin-when-cross-origin'] },
  },
  Link: {
    description: 'The path of the next page of CSV, if there is one.',
    required: false,
    schema: { type: 'string', pattern: '^</(api/)?links[?].*>; rel="next"$' },
    example: '</links?format=csv&limit=100&cursor=c3ByaW5n>; rel="next"',
  },
  Location: {
    description: "The link's URL.",
    required: true,
    schema: { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$' },
    example: 'https://example.com/',
  },
  'Retry-After': {
    description: 'Seconds until the next minute or, for the daily limit, until the next UTC day.',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 86_400 },
    example: 3600,
  },
  'WWW-Authenticate': {
    description: 'The reason the token was rejected.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer scope="" error="invalid_token" error_description="the token has expired"',
  },
} as const;

export const functionHeaders: HeaderName[] = ['X-Content-Type-Options', 'Referrer-Policy'];

/** A response with its own body. The compiler checks the examples. */
export function answer<T extends z.ZodMiniType>(
  description: string,
  schema: T,
  examples: Record<string, z.input<T>>,
): Answer {
  return { description, headers: ['Cache-Control', ...functionHeaders], schema, examples };
}

/** An error from a function. Each example runs the code that fails and shows its message. */
export function refusal(description: string, examples: Record<string, () => unknown>): Answer {
  const messages = Object.entries(examples).map(([name, run]) => [name, readReason(run)]);
  return errorAnswer(description, Object.fromEntries(messages), [
    'Cache-Control',
    ...functionHeaders,
  ]);
}

/** An error with one of these messages. API Gateway sends some without invoking a function. */
export function errorAnswer(
  description: string,
  messages: Record<string, string>,
  headers?: HeaderName[],
): Answer {
  const examples = Object.entries(messages).map(([name, message]) => [name, { message }]);
  return {
    description,
    headers,
    schema: errorAnswerSchema,
    examples: Object.fromEntries(examples),
  };
}

/** The message of the error that a function throws or returns. */
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

const visitorHeaders: HeaderName[] = [
  ...(['Cache-Control', 'Content-Security-Policy', 'Content-Language'] as const),
  ...functionHeaders,
];
const pageOrJson =
  'The response is a page in English or German, or JSON if the client accepts only JSON.';

/** Responses shared by several routes. */
export const sharedAnswers = {
  Unauthorized: errorAnswer(
    'The token is missing or invalid. API Gateway responds without invoking a function.',
    { noValidToken: 'Unauthorized' },
    ['WWW-Authenticate'],
  ),
  Forbidden: errorAnswer(
    "The token is valid but doesn't have the scope. ID tokens never do. API Gateway responds " +
      'without invoking a function.',
    { noScope: 'Forbidden' },
    ['WWW-Authenticate'],
  ),
  InvalidKey: errorAnswer(
    'The API key is missing, malformed, unknown, revoked or expired.',
    { noValidKey: readReason(invalidKeyError) },
    ['WWW-Authenticate', 'Cache-Control', ...functionHeaders],
  ),
  NoFile: refusal("The file doesn't exist.", { unknownFile: noFileError }),
  NotFound: {
    ...refusal(`A link with this code doesn't exist. ${pageOrJson}`, {
      unknownCode: () => notFoundError('nowhere'),
    }),
    headers: visitorHeaders,
    mediaTypes: ['text/html'],
  },
  NotOwned: refusal("A link with this code doesn't exist, or it belongs to someone else.", {
    unknownCode: () => notFoundError('nowhere'),
  }),
  Gone: {
    ...refusal(`The link is disabled or has expired. ${pageOrJson}`, {
      disabled: () => goneError('spring'),
      expired: () => expiredError('spring'),
    }),
    headers: visitorHeaders,
    mediaTypes: ['text/html'],
  },
  TooManyRequests: errorAnswer('The API is throttled. Try again later.', {
    throttled: 'Too Many Requests',
  }),
  TooManyOwnerRequests: errorAnswer(
    'The caller has sent too many requests in this minute, or the API is throttled.',
    {
      tooMany: readReason(() => tooManyRequestsError(1_200, 48)),
      throttled: 'Too Many Requests',
    },
    ['Retry-After'],
  ),
  InternalServerError: errorAnswer('The service failed. The reason is in its log.', {
    failed: 'Internal Server Error',
  }),
  ServiceUnavailable: errorAnswer("The service didn't respond to API Gateway. Try again later.", {
    unavailable: 'Service Unavailable',
  }),
} satisfies Record<string, Answer>;
