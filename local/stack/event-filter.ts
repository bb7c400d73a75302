type Matcher = (value: unknown) => boolean;

/**
 * Compiles the patterns of an event source mapping's FilterCriteria into a function that returns
 * whether an event matches one of them. Supports exact values and `prefix`.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 * @throws Error naming an unsupported operator.
 */
export function compileFilter(patterns: readonly string[]): Matcher {
  const matchers = patterns.map((pattern) => compilePattern(JSON.parse(pattern), pattern));
  return (event) => matchers.some((matches) => matches(event));
}

function compilePattern(node: unknown, pattern: string): Matcher {
  if (Array.isArray(node)) {
    const matchers = node.map((condition) => compileCondition(condition, pattern));
    return (value) => matchers.some((matches) => matches(value));
  }
  if (!isObject(node)) throw unsupportedError(node, pattern);
  const fields = Object.entries(node).map(([name, child]) => ({
    name,
    matches: compilePattern(child, pattern),
  }));
  return (value) => isObject(value) && fields.every(({ name, matches }) => matches(value[name]));
}

function compileCondition(condition: unknown, pattern: string): Matcher {
  if (condition === null || ['string', 'number', 'boolean'].includes(typeof condition)) {
    return (value) => value === condition;
  }
  if (isObject(condition) && Object.keys(condition).join() === 'prefix') {
    const { prefix } = condition;
    if (typeof prefix === 'string') {
      return (value) => typeof value === 'string' && value.startsWith(prefix);
    }
  }
  throw unsupportedError(condition, pattern);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unsupportedError(part: unknown, pattern: string): Error {
  return new Error(
    `The local stack cannot filter by ${JSON.stringify(part)} in ${pattern}. Expected lists of exact ` +
      'values and {"prefix": "…"}. Add the operator to local/stack/event-filter.ts.',
  );
}
