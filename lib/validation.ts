import type * as z from 'zod/mini';

const shownLength = 80;

/** What is validated: its name in messages, and how to make the error. */
export interface Subject {
  name: string;
  refuse: (message: string) => Error;
}

/**
 * Parses a value with a schema whose own messages are expectations, such as "a non-empty string".
 * For each field the error says "expected <field> to be <expectation>; got <value>".
 */
export function parse<T>(schema: z.ZodMiniType<T>, value: unknown, { name, refuse }: Subject): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => {
    const field = path.length === 0 ? name : path.join('.');
    return expected(field, message, find(value, path));
  });
  throw refuse(problems.join('; '));
}

/** Parses JSON. Errors look like those of {@link parse}. */
export function parseJson(text: string, { name, refuse }: Subject): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(expected(name, 'JSON', text));
  }
}

/** The sentence of every validation error. */
export function expected(field: string, expectation: string, value: unknown): string {
  return `expected ${field} to be ${expectation}; got ${show(value)}`;
}

/** Formats a caller's value for a message: quoted, escaped and short. */
export function show(value: unknown): string {
  const json = stringify(value) ?? 'nothing';
  return json.length > shownLength ? `${json.slice(0, shownLength)}… (${json.length})` : json;
}

// JSON.stringify overflows the stack on deeply nested values.
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return `a deeply nested ${typeof value}`;
  }
}

function find(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((found, key) => Object(found)[key], value);
}
