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

const isEqual = (value: string, expected: string) => value === expected;

/** Whether a value matches an expected one, by the operators that the roles use. */
const matchers: Readonly<Record<string, typeof isEqual>> = {
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
function findOperator(name: string) {
  const [, set, operator = '', ifExists] =
    /^(ForAllValues:|ForAnyValue:)?(\w+?)(IfExists)?$/.exec(name) ?? [];
  const matches = matchers[operator];
  const known = Object.keys(matchers).join(', ');
  if (!matches) throw new Error(`expected one of ${known}; got ${name}. Add it to this file.`);
  return (values: string[] = [], expected: string[]) => {
    const isMet = (value: string) => expected.some((one) => matches(value, one));
    return set === 'ForAllValues:' || ifExists ? values.every(isMet) : values.some(isMet);
  };
}

// A test asks for the same few patterns thousands of times.
const compiled = new Map<string, RegExp>();

/** `*` matches any characters and `?` a single one. Case-sensitive. */
function isLike(value: string, pattern: string): boolean {
  const expression = compiled.get(pattern) ?? compile(pattern);
  compiled.set(pattern, expression);
  return expression.test(value);
}

function compile(pattern: string): RegExp {
  const escaped = RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
  return new RegExp(`^${escaped}$`, 's');
}
