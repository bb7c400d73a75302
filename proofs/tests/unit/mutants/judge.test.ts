import { describe, expect, test } from 'vitest';
import { judge } from '../../../mutants/judge.ts';

const source = 'if (wait > 0) {\n  await sleep(wait);\n}\n';

/** A mutant of the condition in the first line. */
const ofCondition = (status: string, replacement: string) => ({
  mutatorName: 'ConditionalExpression',
  status,
  replacement,
  location: { start: { line: 1, column: 5 }, end: { line: 1, column: 13 } },
});

/** A mutant of the whole block. */
const ofBlock = (status: string) => ({
  mutatorName: 'BlockStatement',
  status,
  replacement: '{}',
  location: { start: { line: 1, column: 15 }, end: { line: 3, column: 2 } },
});

const report = (...mutants: ReturnType<typeof ofCondition>[]) => ({
  files: { 'lib/a.ts': { source, mutants } },
});
const bars: [string, number][] = [
  ['lib/a.ts', 90],
  ['lib/', 80],
];

describe('a report is judged', () => {
  test('by the share of killed mutants, and the first bar that fits', () => {
    const mutants = [
      ofCondition('Killed', 'true'),
      ofCondition('Timeout', 'false'),
      ofCondition('Survived', 'wait >= 0'),
      ofBlock('NoCoverage'),
      ofBlock('RuntimeError'),
    ];

    const { scores } = judge(report(...mutants), bars);

    expect(scores).toEqual([{ path: 'lib/a.ts', bar: 90, killed: 2, all: 4 }]);
  });

  test('by what no test notices, with the changed lines', () => {
    const { survivors } = judge(report(ofCondition('Killed', 'true'), ofBlock('Survived')), bars);

    expect(survivors).toMatchObject([
      {
        place: 'lib/a.ts:1',
        before: 'if (wait > 0) { await sleep(wait); }',
        after: 'if (wait > 0) {}',
      },
    ]);
  });

  test('without those that were not tried', () => {
    expect(judge(report(ofCondition('Ignored', 'true')), bars)).toEqual({
      scores: [],
      survivors: [],
    });
  });

  test('only if every file has a bar', () => {
    const judging = () => judge(report(ofBlock('Killed')), [['functions/', 80]]);

    expect(judging).toThrow('got none for lib/a.ts');
  });
});
