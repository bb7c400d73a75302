import { describe, expect, test } from 'vitest';
import { storedBytes } from '../../../evidence/bench/stored-bytes.ts';

// Each item has 100 bytes for DynamoDB's index.
describe('DynamoDB bills', () => {
  test('the names and the values of a page with two slots', () => {
    const page = {
      PK: { S: 'CLICKS#p#0' }, // 2 + 10
      SK: { S: 'CLICK' }, // 2 + 5
      ttl: { N: '1779876000' }, // 3 + 1 + 4
      a0: { B: new Uint8Array(4) }, // 2 + 4
      a1: { B: new Uint8Array(4) }, // 2 + 4
    };

    const bytes = storedBytes(page);

    expect(bytes).toBe(100 + 12 + 7 + 8 + 6 + 6);
  });

  test.each([
    ['0', 1],
    ['7', 2],
    ['12', 2],
    ['123', 3],
    ['1200', 2],
    ['-12', 2],
    ['0.012', 2],
    ['10.5', 3],
  ])('one byte, and one for each two significant digits of %s', (N, expected) => {
    const bytes = storedBytes({ n: { N } });

    expect(bytes).toBe(100 + 1 + expected);
  });

  test('a string by its bytes in UTF-8, not by its characters', () => {
    const bytes = storedBytes({ name: { S: 'é' } });

    expect(bytes).toBe(100 + 4 + 2);
  });
});

test('an attribute of a type that no marker has is refused', () => {
  const item = { list: { L: [] } };

  expect(() => storedBytes(item)).toThrow('expected a string, a number or a binary; got L');
});
