import type { AttributeValue, Item } from './item-store.ts';

export interface Placeholders {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
}

/** The forms that this service uses are evaluated; any other is an error of the simulation. */
export class UnknownExpressionError extends Error {
  constructor(expression: string) {
    super(`expected an expression of a form in use; got "${expression}": teach it to the model`);
  }
}

/** An update whose operand does not fit the stored attribute. */
export class OperandError extends Error {}

/** Whether a condition holds for an item: existence or comparison of attributes, joined by OR. */
export function holds(
  expression: string | undefined,
  item: Item | undefined,
  placeholders: Placeholders,
): boolean {
  if (expression === undefined) return true;
  return expression.split(' OR ').some((term) => holdsTerm(term, item ?? {}, placeholders));
}

function holdsTerm(term: string, item: Item, placeholders: Placeholders): boolean {
  const [, not, existing] = /^attribute_(not_)?exists\((#?\w+)\)$/.exec(term) ?? [];
  if (existing) return name(existing, placeholders) in item !== (not !== undefined);
  const [, left, right] = /^(#?\w+) < (:\w+)$/.exec(term) ?? [];
  if (!left || !right) throw new UnknownExpressionError(term);
  const stored = item[name(left, placeholders)];
  const given = value(right, placeholders);
  return !!stored && 'N' in stored && 'N' in given && toNumber(stored.N) < toNumber(given.N);
}

/** The item that an `ADD` of numbers makes of another; throws {@link OperandError}. */
export function update(expression: string, item: Item, placeholders: Placeholders): Item {
  if (!expression.startsWith('ADD ')) throw new UnknownExpressionError(expression);
  const updated = { ...item };
  for (const action of expression.slice('ADD '.length).split(', ')) {
    const [attribute = '', operand = ''] = action.split(' ');
    const path = name(attribute, placeholders);
    const stored = item[path] ?? { N: '0' };
    const added = value(operand, placeholders);
    if (!('N' in added)) throw new UnknownExpressionError(expression);
    if (!('N' in stored)) {
      throw new OperandError('An operand in the update expression has an incorrect data type');
    }
    updated[path] = { N: String(toNumber(stored.N) + toNumber(added.N)) };
  }
  return updated;
}

function name(token: string, { ExpressionAttributeNames = {} }: Placeholders): string {
  if (!token.startsWith('#')) return token;
  return ExpressionAttributeNames[token] ?? fail(token);
}

function value(token: string, { ExpressionAttributeValues = {} }: Placeholders): AttributeValue {
  return ExpressionAttributeValues[token] ?? fail(token);
}

function fail(token: string): never {
  throw new UnknownExpressionError(token);
}

function toNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new UnknownExpressionError(text);
  return number;
}
