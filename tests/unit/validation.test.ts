import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { parse, show } from '../../lib/validation.ts';

// The tests of clicks, links and messages cover the rest.
test('a rejection names at most five of many faults', () => {
  const subject = { name: 'it', reject: (message: string) => new RangeError(message) };
  const rejection = () => parse(z.array(z.number('a number')), Array(100).fill('x'), subject);

  expect(rejection).toThrow(/^expected "0" to be a number; got "x"(; [^;]*; got "x"){4}$/);
});

test('a shown value stays on one line and is cut after 80 characters', () => {
  expect(show('a\nb')).toBe('"a\\nb"');
  expect(show('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
  expect(show('x'.repeat(79))).toBe(`"${'x'.repeat(79)}… (81)`);
});
