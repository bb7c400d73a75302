import type * as z from 'zod/mini';
import type { Answer, SharedAnswerName } from './answers.ts';

/** Groups of operations. */
export const tags = {
  Links: "The caller's links, and their clicks.",
  'API keys': 'Keys for programs.',
  'Live page': 'The page and what it shows besides links.',
  Visitors: 'What visitors of a link get.',
};

export interface Route {
  method: 'delete' | 'get' | 'head' | 'patch' | 'post';
  path: string;
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
  body?: { schema: z.ZodMiniType; examples: Record<string, unknown> };
  answers: Record<number, Answer | SharedAnswerName>;
}

/** The operation's name in generated clients. */
export function operationIdOf({
  operationId,
  function: name,
}: Pick<Route, 'function' | 'operationId'>): string {
  return operationId ?? name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
}

/** Errors of every route. */
export const failures = {
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const;

/** Errors of every route that needs a token. */
export const tokenFailures = {
  ...failures,
  401: 'Unauthorized',
  403: 'Forbidden',
  429: 'TooManyOwnerRequests',
} as const;

/** A request's body. The compiler checks the examples. */
export function body<T extends z.ZodMiniType>(schema: T, examples: Record<string, z.input<T>>) {
  return { schema, examples };
}
