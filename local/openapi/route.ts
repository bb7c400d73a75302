import type * as z from 'zod/mini';
import type { Answer, SharedAnswerName } from './answers.ts';

export interface Route {
  method: 'delete' | 'get' | 'head' | 'patch' | 'post';
  path: string;
  /** The function's name. Its second route appends `-<method>`, because ids must be unique. */
  operationId: string;
  summary: string;
  description: string;
  /** True if the route doesn't need a token. */
  isPublic?: boolean;
  query?: z.ZodMiniType;
  body?: { schema: z.ZodMiniType; examples: Record<string, unknown> };
  answers: Record<number, Answer | SharedAnswerName>;
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
