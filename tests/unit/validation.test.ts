import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parse, type Subject, show } from '../../lib/validation.ts';

const subject: Subject = { name: 'the order', refuse: (message) => new RangeError(message) };
const schema = z.object({ line: z.object({ cents: z.number('a number') }, 'an object') }, 'a map');

describe('parse', () => {
  test('returns the data of a valid value', () => {
    expect(parse(schema, { line: { cents: 3 } }, subject)).toEqual({ line: { cents: 3 } });
  });

  test.each([
    ['the whole value', 7, 'expected the order to be a map; got 7'],
    ['a missing field', {}, 'expected "line" to be an object; got nothing'],
    [
      'a field in a field',
      { line: { cents: 'x' } },
      'expected "line.cents" to be a number; got "x"',
    ],
  ])('rejects %s by its name', (_, value, message) => {
    expect(() => parse(schema, value, subject)).toThrow(new RangeError(message));
  });
});

test('parse names at most five of many faults', () => {
  const refusal = () => parse(z.array(z.number('a number')), Array(100).fill('x'), subject);

  expect(refusal).toThrow(/^expected "0" to be a number; got "x"(; [^;]*; got "x"){4}$/);
});

describe('a shown value', () => {
  test('stays on one line', () => {
    expect(show('a\nb')).toBe('"a\\nb"');
  });

  test('is cut after 80 characters and followed by its length', () => {
    expect(show('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
    expect(show('x'.repeat(1_000))).toBe(`"${'x'.repeat(79)}… (1002)`);
  });

  test('may be nested deeper than the stack', () => {
    const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));

    expect(show(deep)).toBe('a deeply nested object');
  });
});
