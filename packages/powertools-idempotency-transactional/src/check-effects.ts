import { inspect } from 'node:util';
import type { Effects } from './effects.ts';
import { InvalidEffectsError } from './errors.ts';
import { readField } from './read-field.ts';

const effectNames = ['increments', 'writes', 'response'];
const incrementNames = ['tableName', 'key', 'attribute', 'by', 'mustExist', 'bounds'];
const operationNames = ['Put', 'Update', 'Delete', 'ConditionCheck'];
const fieldNames = [
  'TableName',
  'Item',
  'Key',
  'UpdateExpression',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
];

const expected = 'expected effects to be an object with increments, writes or a response';

/**
 * Rejects what TypeScript would, because in JavaScript a misspelt effect would be lost.
 *
 * @throws {InvalidEffectsError} naming the first property that is unknown, or the value that is wrong.
 */
export function checkEffects(effects: unknown): asserts effects is Effects {
  if (!isObject(effects)) throw new InvalidEffectsError(`${expected}; got ${print(effects)}`);
  if (typeof readField(effects, 'then') === 'function') {
    throw new InvalidEffectsError(`${expected}; got a promise, so the function must not be async`);
  }
  checkNames('effects', effects, effectNames);
  const { increments, writes, response }: Record<string, unknown> = { ...effects };
  if (increments === undefined && writes === undefined && response === undefined) {
    const hint = 'If that is meant, return { writes: [] }.';
    throw new InvalidEffectsError(`${expected}; got none. ${hint}`);
  }
  checkList('increments', increments, (increment) => {
    checkNames('an increment', increment, incrementNames);
  });
  checkList('writes', writes, (write) => {
    checkNames('a write', write, operationNames);
    for (const fields of Object.values(write)) {
      if (fields) checkNames('a write', fields, fieldNames);
    }
  });
}

function checkList(name: string, list: unknown, check: (one: object) => void): void {
  if (list === undefined) return;
  if (!Array.isArray(list)) {
    throw new InvalidEffectsError(`expected ${name} to be an array; got ${print(list)}`);
  }
  for (const one of list) {
    if (!isObject(one)) {
      throw new InvalidEffectsError(`expected ${name} to be objects; got ${print(one)}`);
    }
    check(one);
  }
}

function checkNames(what: string, value: object, known: string[]): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const names = known.join(', ');
  throw new InvalidEffectsError(`expected ${what} to have only ${names}; got "${unknown}"`);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function print(value: unknown): string {
  return inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
}
