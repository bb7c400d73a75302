type Condition = string | { prefix: string } | { 'anything-but': string | string[] };
interface Fields {
  [name: string]: Fields | Condition[];
}

/** A pattern of an EventBridge rule, or of an event source mapping's filter. */
export type EventPattern = Fields & { $or?: EventPattern[] };

/**
 * Whether an event matches a pattern.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 * @throws {Error} for a condition other than a text, `prefix` or `anything-but`.
 */
export function matches({ $or, ...fields }: EventPattern, event: unknown): boolean {
  const matchesAll = Object.entries(fields).every(([name, inner]) => {
    const value = Object(event)[name];
    if (!Array.isArray(inner)) return matches(inner, value);
    return inner.some((condition) => meets(condition, value));
  });
  return matchesAll && ($or?.some((pattern) => matches(pattern, event)) ?? true);
}

function meets(condition: Condition, value: unknown): boolean {
  // A missing value doesn't meet any condition.
  if (typeof value !== 'string') return false;
  if (typeof condition === 'string') return condition === value;
  if ('prefix' in condition) return value.startsWith(condition.prefix);
  const { 'anything-but': excluded } = condition;
  if (excluded) return ![excluded].flat().includes(value);
  throw new Error(`The local stack does not support the condition ${JSON.stringify(condition)}.`);
}
