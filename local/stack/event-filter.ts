import * as z from 'zod/mini';

type Condition = string | number | boolean | null | { prefix: string };
interface Pattern {
  [name: string]: Pattern | Condition[];
}

const prefix = z.strictObject({ prefix: z.string() });
const condition = z.union([z.string(), z.number(), z.boolean(), z.null(), prefix]);
const patternSchema: z.ZodMiniType<Pattern> = z.record(
  z.string(),
  z.union([z.array(condition), z.lazy(() => patternSchema)]),
);

/**
 * Compiles the patterns of an event source mapping's FilterCriteria into a function that returns
 * whether an event matches one of them.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 * @throws if one has an operator other than exact values and `prefix`.
 */
export function compileFilter(patterns: readonly string[]): (event: object) => boolean {
  const parsed = patterns.map((pattern) => patternSchema.parse(JSON.parse(pattern)));
  return (event) => parsed.some((pattern) => matches(pattern, event));
}

function matches(expected: Pattern | Condition[], value: unknown): boolean {
  if (Array.isArray(expected)) return expected.some((one) => meets(one, value));
  const fields = (value ?? {}) as Record<string, unknown>;
  return Object.entries(expected).every(([name, inner]) => matches(inner, fields[name]));
}

function meets(expected: Condition, value: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return expected === value;
  return typeof value === 'string' && value.startsWith(expected.prefix);
}
