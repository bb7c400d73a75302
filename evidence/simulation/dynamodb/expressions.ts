import { type AttributeValue, type Item, ValidationError } from './item-store.ts';

const maxBytes = 4 * 1024;
const maxOperators = 300;
/** Those among the names of the table's attributes. */
const reservedWords = new Set(['count', 'ttl', 'url']);

/** The expressions of one action; names and values belong to all of them. */
export interface Expressions {
  ConditionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Record<string, AttributeValue>;
}

/** Whether a condition holds for an item; a missing one has no attributes. */
export type Condition = (item: Item) => boolean;
/** What an update makes of an item; throws {@link OperandError}. */
export type Update = (item: Item) => Item;

/** The forms that this service uses are evaluated; any other is an error of the simulation. */
export class UnknownExpressionError extends Error {
  constructor(expression: string) {
    super(`expected an expression of a form in use; got "${expression}": teach it to the model`);
  }
}

/** An update whose operand does not fit the stored attribute. */
export class OperandError extends Error {}

/**
 * Reads the expressions of one action. Without a condition all items may be written.
 *
 * @throws {ValidationError} for what DynamoDB refuses, whatever is stored.
 */
export function readExpressions(action: Expressions): { condition: Condition; update: Update } {
  const { ConditionExpression, UpdateExpression } = action;
  const placeholders = new Placeholders(action);
  const read = (expression: string) => new Reader(expression, placeholders);
  const condition = ConditionExpression ? read(ConditionExpression).condition() : () => true;
  const update = UpdateExpression ? read(UpdateExpression).update() : (item: Item) => item;
  placeholders.checkUse();
  return { condition, update };
}

class Placeholders {
  readonly #given: Expressions;
  readonly #used = new Set<string>();

  constructor(given: Expressions) {
    this.#given = given;
  }

  name(token: string): string {
    if (token.startsWith('#')) return this.#find(this.#given.ExpressionAttributeNames, token);
    if (!reservedWords.has(token)) return token;
    throw new ValidationError(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
  }

  value(token: string): AttributeValue {
    return this.#find(this.#given.ExpressionAttributeValues, token);
  }

  checkUse(): void {
    const { ExpressionAttributeNames, ExpressionAttributeValues } = this.#given;
    for (const token in { ...ExpressionAttributeNames, ...ExpressionAttributeValues }) {
      if (!this.#used.has(token)) throw new ValidationError(`${token} is unused in expressions`);
    }
  }

  #find<T>(given: Record<string, T> | undefined, token: string): T {
    const found = given?.[token];
    if (found === undefined) throw new ValidationError(`${token} is used, but not defined`);
    this.#used.add(token);
    return found;
  }
}

/** Reads one expression from left to right. */
class Reader {
  readonly #expression: string;
  readonly #placeholders: Placeholders;
  readonly #tokens: string[];
  #position = 0;
  #operators = 0;

  constructor(expression: string, placeholders: Placeholders) {
    const bytes = Buffer.byteLength(expression);
    if (bytes > maxBytes) {
      throw new ValidationError(`Expression size has exceeded the maximum; size: ${bytes}`);
    }
    this.#expression = expression;
    this.#placeholders = placeholders;
    this.#tokens = expression.match(/[#:]?\w+|<=|\S/g) ?? [];
  }

  condition(): Condition {
    const condition = this.#either();
    if (this.#position < this.#tokens.length) throw this.#unknown();
    if (this.#operators <= maxOperators) return condition;
    throw new ValidationError(`too many operators; operator count: ${this.#operators}`);
  }

  update(): Update {
    const changes = new Map<string, (item: Item) => void>();
    while (this.#position < this.#tokens.length) {
      const keyword = this.#next();
      do {
        const name = this.#name();
        if (changes.has(name)) throw new ValidationError(`paths overlap; path one: [${name}]`);
        changes.set(name, this.#change(keyword, name));
      } while (this.#take(','));
    }
    return (item) => {
      const updated = { ...item };
      for (const change of changes.values()) change(updated);
      return updated;
    };
  }

  #change(keyword: string, name: string): (item: Item) => void {
    if (keyword === 'SET') this.#expect('=');
    else if (keyword !== 'ADD' && keyword !== 'DELETE') throw this.#unknown();
    const operand = this.#value();
    if (keyword === 'DELETE') return (item) => remove(operand, item, name);
    return (item) => {
      item[name] = keyword === 'SET' ? operand : add(operand, item[name]);
    };
  }

  #either(): Condition {
    const conditions = [this.#all()];
    while (this.#takeOperator('OR')) conditions.push(this.#all());
    return (item) => conditions.some((condition) => condition(item));
  }

  #all(): Condition {
    const conditions = [this.#one()];
    while (this.#takeOperator('AND')) conditions.push(this.#one());
    return (item) => conditions.every((condition) => condition(item));
  }

  #one(): Condition {
    if (!this.#take('(')) return this.#clause();
    const condition = this.#either();
    this.#expect(')');
    return condition;
  }

  #clause(): Condition {
    this.#operators += 1;
    if (this.#take('contains')) return this.#containment();
    const isAbsence = this.#take('attribute_not_exists');
    if (!isAbsence && !this.#take('attribute_exists')) return this.#comparison();
    this.#expect('(');
    const name = this.#name();
    this.#expect(')');
    return (item) => name in item !== isAbsence;
  }

  /** Whether a set has an element. */
  #containment(): Condition {
    this.#expect('(');
    const name = this.#name();
    this.#expect(',');
    const element = this.#value();
    this.#expect(')');
    if (!('S' in element)) throw this.#unknown();
    return ({ [name]: stored }) =>
      stored !== undefined && 'SS' in stored && stored.SS.includes(element.S);
  }

  // Values of unlike types compare as false, and so does an attribute that is not there.
  #comparison(): Condition {
    const name = this.#name();
    const operator = (['<=', '<', '='] as const).find((one) => this.#take(one));
    if (!operator) throw this.#unknown();
    const given = this.#value();
    if ('S' in given && operator === '=') {
      return ({ [name]: stored }) => stored !== undefined && 'S' in stored && stored.S === given.S;
    }
    if (!('N' in given) || operator === '=') throw this.#unknown();
    const limit = toDecimal(given.N);
    return ({ [name]: stored }) => {
      if (!stored || !('N' in stored)) return false;
      const value = toDecimal(stored.N);
      return value < limit || (operator === '<=' && value === limit);
    };
  }

  #name(): string {
    return this.#placeholders.name(this.#next());
  }

  #value(): AttributeValue {
    return this.#placeholders.value(this.#next());
  }

  #next(): string {
    const token = this.#tokens[this.#position++];
    if (token === undefined) throw this.#unknown();
    return token;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#position] !== token) return false;
    this.#position += 1;
    return true;
  }

  #takeOperator(token: 'AND' | 'OR'): boolean {
    if (!this.#take(token)) return false;
    this.#operators += 1;
    return true;
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw this.#unknown();
  }

  #unknown(): UnknownExpressionError {
    return new UnknownExpressionError(this.#expression);
  }
}

function add(added: AttributeValue, stored: AttributeValue = { N: '0' }): AttributeValue {
  if (!('N' in added)) throw new UnknownExpressionError(JSON.stringify(added));
  if ('N' in stored) return { N: String(toNumber(stored.N) + toNumber(added.N)) };
  throw new OperandError('An operand in the update expression has an incorrect data type');
}

/** Takes elements out of a set; an empty one is no attribute. */
function remove(removed: AttributeValue, item: Item, name: string): void {
  const stored = item[name];
  if (!('SS' in removed)) throw new UnknownExpressionError(JSON.stringify(removed));
  if (!stored || !('SS' in stored)) return;
  const left = stored.SS.filter((element) => !removed.SS.includes(element));
  if (left.length > 0) item[name] = { SS: left };
  else delete item[name];
}

function toNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new UnknownExpressionError(text);
  return number;
}

// JavaScript tells numbers of so many digits apart, as DynamoDB does; powers of ten are not in use.
function toDecimal(text: string): number {
  if (/^-?\d*\.?\d+$/.test(text) && text.replaceAll(/\D/g, '').length <= 15) return Number(text);
  throw new UnknownExpressionError(text);
}
