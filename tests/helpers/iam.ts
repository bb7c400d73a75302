/** A statement of a role's policy, with logical ids in its ARNs. */
export interface Statement {
  Effect: string;
  Action: string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, boolean | string | string[]>>;
}

/** An action on a resource, with the request's condition keys. */
export interface Access {
  action: string;
  resource: string;
  keys: Record<string, string[]>;
}

/**
 * Whether a role's statements allow an access: at least one must allow it, and none may deny it.
 * Throws for an unknown condition operator.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function isAllowed(statements: readonly Statement[], access: Access): boolean {
  const applying = statements.filter((statement) => applies(statement, access));
  return applying.length > 0 && applying.every(({ Effect }) => Effect === 'Allow');
}

function applies({ Action, Resource, Condition = {} }: Statement, access: Access): boolean {
  return (
    Action.some((action) => isLike(access.action, action)) &&
    [Resource].flat().some((resource) => isLike(access.resource, resource)) &&
    Object.entries(Condition).every(([name, conditions]) =>
      Object.entries(conditions).every(([key, expected]) =>
        findOperator(name)(access.keys[key], [expected].flat().map(String)),
      ),
    )
  );
}

type Operator = (values: string[] | undefined, expected: string[]) => boolean;

const isAny: Operator = (values = [], expected) => values.some((value) => expected.includes(value));

const isLikeAny: Operator = (values = [], patterns) =>
  values.some((value) => patterns.some((pattern) => isLike(value, pattern)));

/**
 * The operators that the roles use. Only ForAllValues and `IfExists` pass if the key is missing.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 */
const operators: Readonly<Record<string, Operator>> = {
  'ForAllValues:StringLike': (values = [], patterns) =>
    values.every((value) => patterns.some((pattern) => isLike(value, pattern))),
  'ForAllValues:StringEquals': (values = [], expected) =>
    values.every((value) => expected.includes(value)),
  'ForAnyValue:StringEquals': isAny,
  StringEquals: isAny,
  Bool: isAny,
  ArnEquals: isLikeAny,
  ArnLike: isLikeAny,
  StringEqualsIfExists: (values, expected) =>
    values === undefined || values.every((value) => expected.includes(value)),
};

function findOperator(name: string): Operator {
  const operator = operators[name];
  if (operator) return operator;
  const known = Object.keys(operators).join(', ');
  throw new Error(`expected one of the operators ${known}; got ${name}. Add it to this file.`);
}

/** `*` matches any characters and `?` a single one. Case-sensitive. */
function isLike(value: string, pattern: string): boolean {
  const escaped = RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  return new RegExp(`^${escaped}$`, 's').test(value);
}
