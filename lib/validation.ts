import type * as z from 'zod/mini';

const shownLength = 80;
/** A list may have hundreds of invalid elements. */
const maxIssues = 5;

/** The value's name in messages, and how to make the error. */
export interface Subject {
  name: string;
  /**
   * `message` quotes the invalid values, which may be personal data; `loggable` describes them.
   * `fields` has the sentences for users, by field.
   */
  reject: (message: string, loggable: string, fields?: Record<string, string>) => Error;
}

/**
 * Parses a value with a schema whose messages are expectations, such as "a non-empty string". For
 * each invalid field, the error says `expected "<field>" to be <expectation>; got <value>`. A message
 * that ends with a period is a sentence for users, which the error repeats.
 */
export function parse<T>(schema: z.ZodMiniType<T>, value: unknown, { name, reject }: Subject): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, maxIssues);
  const sentences = issues.filter(({ message }) => message.endsWith('.'));
  // An element's problem is the list's.
  const fields = sentences.flatMap(({ path: [field = '', inner], message }) =>
    typeof inner === 'string' ? [] : [[field, message]],
  );
  const explain = (format: typeof show) => {
    const problems = issues.map((issue) => {
      if (sentences.includes(issue)) return issue.message;
      const field = issue.path.length === 0 ? name : `"${issue.path.join('.')}"`;
      return expected(field, issue.message, find(value, issue.path), format);
    });
    return [...new Set(problems)].join(sentences.length === issues.length ? ' ' : '; ');
  };
  throw reject(
    explain(show),
    explain(describeForLog),
    fields.length > 0 ? Object.fromEntries(fields) : undefined,
  );
}

/** Rejects a text that's too long to parse. Call it before parsing. */
export function checkBytes(bytes: number, maxBytes: number, { name, reject }: Subject): void {
  if (bytes <= maxBytes) return;
  const reason = `expected ${name} to have at most ${maxBytes} bytes; got ${bytes}`;
  throw reject(reason, reason);
}

/** Parses JSON. Errors look like those of {@link parse}. */
export function parseJson(text: string, { name, reject }: Subject): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw reject(expected(name, 'JSON', text), expected(name, 'JSON', text, describeForLog));
  }
}

/** The text of every validation error. */
export function expected(
  field: string,
  expectation: string,
  value: unknown,
  format: (value: unknown) => string = show,
): string {
  return `expected ${field} to be ${expectation}; got ${format(value)}`;
}

/** Describes a value for a log, which must not hold text from strangers or visitors. */
export function describeForLog(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
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
  return path.reduce(readField, value);
}

/** A value's property, or undefined if it has none. */
export function readField(value: unknown, name: PropertyKey): unknown {
  return Object(value)[name];
}
