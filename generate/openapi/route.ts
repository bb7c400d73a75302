import type * as z from 'zod/mini';
import {
  HttpError,
  invalidKeyError,
  noFileError,
  readOnlyKeyError,
  tooManyRequestsError,
} from '../../lib/http/http-error.ts';
import { rejectQuery } from '../../lib/http/request.ts';
import { errorAnswerSchema } from '../../lib/links/api/answer-schemas.ts';
import {
  expiredError,
  goneError,
  notFoundError,
  unavailableError,
} from '../../lib/links/rules/code.ts';
import { quotaExceededError, takenDownError } from '../../lib/links/storage/link-answer.ts';

/** Groups of operations. */
export const tags = {
  Links: "The caller's links, and their clicks.",
  'API keys': 'Keys for programs.',
  'Live page': 'The page and what it shows besides links.',
  Visitors: 'What visitors of a link get.',
};

export interface Route {
  /** The function's name, such as "create-link". */
  function: string;
  /** The operation's name in generated clients. Defaults to the function's: "createLink". */
  operationId?: string;
  /** Defaults to "Links". */
  tag?: keyof typeof tags;
  summary: string;
  description: string;
  /** True if the route doesn't need a token. */
  isPublic?: boolean;
  /** True if the route needs an API key instead of a token. */
  takesKey?: boolean;
  query?: z.ZodMiniType;
  /** Whether the header Idempotency-Key makes the request idempotent. */
  takesIdempotencyKey?: boolean;
  body?: { schema: z.ZodMiniType; examples: Record<string, unknown> };
  /** Besides the errors that all routes have. */
  answers: Record<number, Answer | keyof typeof sharedAnswers>;
}

export type CompleteRoute = Route & {
  operationId: string;
  tag: string;
  /** Such as "POST /links". */
  routeKey: string;
};

/** By route key, such as "POST /links". */
export type Routes = Record<string, Route>;

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

/** The headers that clients may need. A required one is in every response that lists it. */
export const headers = {
  'Idempotent-Replayed': {
    description: '`true` if an earlier request with this Idempotency-Key created the link.',
    required: false,
    schema: { type: 'string', const: 'true' },
    example: 'true',
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

/** A response with its own body. The compiler checks the examples. */
export function answer<T extends z.ZodMiniType>(
  description: string,
  schema: T,
  examples: Record<string, z.input<T>>,
): Answer {
  return { description, schema, examples };
}

/** An error. An example is a message of API Gateway, or code that fails with a function's. */
export function rejection(
  description: string,
  examples: Record<string, string | (() => unknown)>,
  headers?: HeaderName[],
): Answer {
  return {
    description,
    headers,
    schema: errorAnswerSchema,
    examples: mapValues(examples, (example) => ({
      message: typeof example === 'string' ? example : readReason(example),
    })),
  };
}

export function mapValues<T, R>(values: Record<string, T>, map: (value: T) => R) {
  const entries = Object.entries(values).map(([name, value]) => [name, map(value)]);
  return Object.fromEntries(entries) as Record<string, R>;
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
  throw new Error('expected an example of a rejection to throw or return an HttpError; got none');
}

const pageOrJson =
  'The response is a page in English or German, or JSON if the client accepts only JSON.';

/** Responses shared by several routes. */
export const sharedAnswers = {
  NoParameters: rejection('The query has a parameter, and this route has none.', {
    page: () => rejectQuery({ page: '2' }),
  }),
  Unauthorized: rejection(
    'The token is missing or invalid. API Gateway responds without invoking a function.',
    { noValidToken: 'Unauthorized' },
    ['WWW-Authenticate'],
  ),
  Forbidden: rejection(
    "The token is valid but doesn't have the scope. ID tokens never do. API Gateway responds " +
      'without invoking a function.',
    { noScope: 'Forbidden' },
    ['WWW-Authenticate'],
  ),
  InvalidKey: rejection(
    'The API key is missing, malformed, unknown, revoked or expired.',
    { noValidKey: invalidKeyError },
    ['WWW-Authenticate'],
  ),
  ReadOnlyKey: rejection('The key may only read, or an operator took down the link.', {
    readOnly: readOnlyKeyError,
    takenDown: () => takenDownError('spring'),
  }),
  NoFile: rejection("The file doesn't exist.", { unknownFile: noFileError }),
  NotFound: {
    ...rejection(`A link with this code doesn't exist. ${pageOrJson}`, {
      unknownCode: () => notFoundError('nowhere'),
    }),
    mediaTypes: ['text/html'],
  },
  NotOwned: rejection("A link with this code doesn't exist, or it belongs to someone else.", {
    unknownCode: () => notFoundError('nowhere'),
  }),
  Gone: {
    ...rejection(`The link is disabled or has expired. ${pageOrJson}`, {
      disabled: () => goneError('spring'),
      expired: () => expiredError('spring'),
    }),
    mediaTypes: ['text/html'],
  },
  Unavailable: {
    ...rejection(
      `The link can't be looked up, or the service didn't respond to API Gateway. ${pageOrJson}`,
      { unread: () => unavailableError('spring'), unavailable: 'Service Unavailable' },
    ),
    mediaTypes: ['text/html'],
  },
  TooManyRequests: rejection('The API is throttled. Try again later.', {
    throttled: 'Too Many Requests',
  }),
  TooManyOwnerRequests: rejection(
    'The caller has sent too many requests in this minute or created too many links today, or the ' +
      'API is throttled.',
    {
      overQuota: () => quotaExceededError(1_000),
      tooMany: () => tooManyRequestsError(1_200, 48),
      throttled: 'Too Many Requests',
    },
    ['Retry-After'],
  ),
  InternalServerError: rejection('The service failed. The reason is in its log.', {
    failed: 'Internal Server Error',
  }),
  ServiceUnavailable: rejection("The service didn't respond to API Gateway. Try again later.", {
    unavailable: 'Service Unavailable',
  }),
} satisfies Record<string, Answer>;

/** Errors of every route. */
const failures = {
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const;

/** Errors of every route that needs a token. */
const tokenFailures = {
  ...failures,
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'TooManyOwnerRequests',
} as const;

/** Adds what routes have by default. */
export function completeRoutes(routes: Routes): CompleteRoute[] {
  return Object.entries(routes).map(([routeKey, { answers, ...route }]) => ({
    operationId: route.function.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()),
    tag: 'Links',
    ...route,
    routeKey,
    answers: { ...(route.isPublic ? failures : tokenFailures), ...answers },
  }));
}

/** A request's body. The compiler checks the examples. */
export function body<T extends z.ZodMiniType>(schema: T, examples: Record<string, z.input<T>>) {
  return { schema, examples };
}
