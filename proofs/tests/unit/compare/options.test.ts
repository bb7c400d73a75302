import { describe, expect, test } from 'vitest';
import { type CompareOptions, createCompareProgram } from '../../../compare/options.ts';

/** Runs the command line and returns its options, or its error output if it refuses. */
function run(...args: string[]): { options?: CompareOptions; errorOutput: string } {
  let options: CompareOptions | undefined;
  let errorOutput = '';
  const program = createCompareProgram((parsed) => {
    options = parsed;
  }).configureOutput({
    writeErr: (text) => {
      errorOutput += text;
    },
  });
  try {
    program.parse(args, { from: 'user' });
  } catch {
    // The output says why.
  }
  return { ...(options && { options }), errorOutput };
}

describe('the command line of the gauntlet', () => {
  test('runs every cell, with fewer clicks if asked to be quick', () => {
    const [full, quick] = [run().options, run('--quick').options];

    expect([full?.isFull, quick?.isFull]).toEqual([true, false]);
    // 11 approaches by 18 faults. 5 of them also charge through 16 faults, in two ways.
    expect(full?.cells).toHaveLength(198 + 160);
    expect(quick?.cells).toEqual(full?.cells);
    expect(quick?.clickCount).toBeLessThan(full?.clickCount ?? 0);
  });

  test('runs only the named approaches and faults', () => {
    const { options } = run('--only', 'naive,fifo,conflict');

    expect(options?.cells.map(({ approach, fault }) => `${approach} ${fault}`)).toEqual([
      'naive conflict',
      'fifo conflict',
    ]);
    expect(options?.isFull).toBe(false);
  });

  test.each([
    [['--only', 'magic'], /--only.*"magic".*click-tally.*timeout/],
    [['--only', 'toString'], /--only.*"toString"/],
    [['--seed', 'x'], /--seed.*whole number/],
    [['--fast'], /--fast/],
    [['naive'], /too many arguments/],
  ])('refuses %j and says what it expects', (args, message) => {
    const { options, errorOutput } = run(...args);

    expect(options).toBeUndefined();
    expect(errorOutput).toMatch(message);
  });
});
