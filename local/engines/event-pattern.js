/**
 * Whether an event matches a pattern.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 * @throws {Error} for a condition other than a text, `prefix` or `anything-but`.
 */
export function matches({ $or, ...fields }, event) {
    const matchesAll = Object.entries(fields).every(([name, inner]) => {
        const value = Object(event)[name];
        if (!Array.isArray(inner))
            return matches(inner, value);
        return inner.some((condition) => meets(condition, value));
    });
    return matchesAll && ($or?.some((pattern) => matches(pattern, event)) ?? true);
}
function meets(condition, value) {
    if (typeof condition === 'string')
        return condition === value;
    const text = typeof value === 'string' ? value : undefined;
    if ('prefix' in condition)
        return text?.startsWith(condition.prefix) ?? false;
    const excluded = [condition['anything-but']].flat();
    if (excluded.some((other) => typeof other !== 'string')) {
        throw new Error(`The local stack does not support the condition ${JSON.stringify(condition)}.`);
    }
    return text !== undefined && !excluded.includes(text);
}
