import { describe, expect, test } from 'vitest';
import { readOptions, UsageError } from '../../../evidence/compare/options.ts';

describe('the command line of the gauntlet', () => {
  test('without anything is the whole of it', () => {
    const { cells, ...options } = readOptions([]);
    expect(options).toMatchObject({ isWhole: true, clickCount: 200, seed: 1 });
    // 11 approaches by 18 faults; 5 of them also by 16 faults with a charge, twice.
    expect(cells).toHaveLength(198 + 160);
  });

  test('quickly runs all cells with fewer clicks', () => {
    const { cells, clickCount, isWhole } = readOptions(['--quick']);
    expect(cells).toHaveLength(358);
    expect(clickCount).toBeLessThan(200);
    expect(isWhole).toBe(false);
  });

  test('narrows to approaches and to faults', () => {
    const { cells } = readOptions(['--only', 'naive,fifo,conflict']);
    expect(cells.map(({ approach, fault }) => `${approach} ${fault}`)).toEqual([
      'naive conflict',
      'fifo conflict',
    ]);
  });

  test.each([
    [['--only', 'magic'], /"magic".*click-tally.*timeout/],
    [['--seed', 'x'], /--seed.*whole number.*"x"/],
    [['--fast'], /--fast/],
  ])('refuses %j and says what there is', (args, message) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(message);
  });
});
