/**
 * Whether a role's statements allow an access: at least one must allow it, and none may deny it.
 * Throws for an unknown condition operator.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function isAllowed(statements, access) {
    const applying = statements.filter((statement) => applies(statement, access));
    return applying.length > 0 && applying.every(({ Effect }) => Effect === 'Allow');
}
function applies({ Action, Resource, Condition = {} }, access) {
    return (Action.some((action) => isLike(access.action, action)) &&
        [Resource].flat().some((resource) => isLike(access.resource, resource)) &&
        Object.entries(Condition).every(([name, conditions]) => Object.entries(conditions).every(([key, expected]) => findOperator(name)(access.keys[key], [expected].flat().map(String)))));
}
const isEqual = (value, expected) => value === expected;
/** Whether a value matches an expected one, by the operators that the roles use. */
const matchers = {
    StringEquals: isEqual,
    Bool: isEqual,
    StringLike: isLike,
    ArnEquals: isLike,
    ArnLike: isLike,
};
/**
 * Only ForAllValues and `IfExists` pass if the key is missing.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 */
function findOperator(name) {
    const [, set, operator = '', ifExists] = /^(ForAllValues:|ForAnyValue:)?(\w+?)(IfExists)?$/.exec(name) ?? [];
    const matches = matchers[operator];
    const known = Object.keys(matchers).join(', ');
    if (!matches)
        throw new Error(`expected one of ${known}; got ${name}. Add it to this file.`);
    return (values = [], expected) => {
        const isMet = (value) => expected.some((one) => matches(value, one));
        return set === 'ForAllValues:' || ifExists ? values.every(isMet) : values.some(isMet);
    };
}
/** `*` matches any characters and `?` a single one. Case-sensitive. */
function isLike(value, pattern) {
    const escaped = RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
    return new RegExp(`^${escaped}$`, 's').test(value);
}
