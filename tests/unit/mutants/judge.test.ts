import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judge, readAccepted, toDiff } from '../../../evidence/mutants/judge.ts';
import { acceptedFile } from '../../../evidence/mutants/settings.ts';

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
const always = { file: 'lib/a.ts', before: 'if (wait > 0) {', after: 'if (true) {' };

describe('a report is judged', () => {
  test('by the share of killed mutants, and the first bar that fits', () => {
    const mutants = [
      ofCondition('Killed', 'true'),
      ofCondition('Timeout', 'false'),
      ofCondition('Survived', 'wait >= 0'),
      ofBlock('NoCoverage'),
      ofBlock('RuntimeError'),
    ];

    const { scores } = judge(report(...mutants), bars, []);

    expect(scores).toEqual([{ path: 'lib/a.ts', bar: 90, killed: 2, all: 4 }]);
  });

  test('by its survivors, each of which needs a reason', () => {
    const { unexplained, outdated } = judge(
      report(ofCondition('Survived', 'true'), ofBlock('Survived')),
      bars,
      [always],
    );

    expect(unexplained).toEqual([
      {
        file: 'lib/a.ts',
        before: 'if (wait > 0) { await sleep(wait); }',
        after: 'if (wait > 0) {}',
      },
    ]);
    expect(outdated).toEqual([]);
  });

  test('by the reasons that nothing needs any more, in the files that it covers', () => {
    const elsewhere = { ...always, file: 'lib/b.ts' };

    const { outdated } = judge(report(ofCondition('Killed', 'true')), bars, [always, elsewhere]);

    expect(outdated).toEqual([always]);
  });

  test('but not by a reason whose mutant took too long, as it may on a busy machine', () => {
    const { outdated } = judge(report(ofCondition('Timeout', 'true')), bars, [always]);

    expect(outdated).toEqual([]);
  });

  test('but not by a reason whose mutant was not tried', () => {
    const { scores, outdated } = judge(report(ofCondition('Ignored', 'true')), bars, [always]);

    expect([scores, outdated]).toEqual([[], []]);
  });

  test('only if every file has a bar', () => {
    const judging = () => judge(report(ofBlock('Killed')), [['functions/', 80]], []);

    expect(judging).toThrow('got none for lib/a.ts');
  });
});

describe('the page of accepted mutants', () => {
  const block = (...lines: string[]) => ['```diff', ...lines, '```', ''].join('\n');
  const pair = toDiff(always);

  test('has mutants below a file and a reason', () => {
    const removed = { file: 'lib/b.ts', before: 'x += 1;', after: '' };
    const page = [
      '# Title\n\nPreface.\n',
      `## [lib/a.ts](../lib/a.ts)\n\nNobody waits for 0 ms.\n\n${block(pair)}`,
      `## lib/b.ts\n\nOne reason.\n\n${block(toDiff(removed), '- a', '+ b')}`,
    ].join('\n');

    expect(readAccepted(page)).toEqual([
      always,
      removed,
      { file: 'lib/b.ts', before: 'a', after: 'b' },
    ]);
  });

  test('is refused without a reason', () => {
    const page = `## lib/a.ts\n\nA reason.\n\n${block(pair)}\n${block(pair)}`;

    expect(() => readAccepted(page)).toThrow('expected a reason above this diff of lib/a.ts');
  });

  test('is refused without an end', () => {
    const page = `## lib/a.ts\n\nA reason.\n\n${block(pair).replace(/```\n*$/, '')}\n## lib/b.ts\n`;

    expect(() => readAccepted(page)).toThrow('expected an end of each diff of lib/a.ts');
  });
});

test('every change on the page is one of code that exists', () => {
  const accepted = readAccepted(readFileSync(acceptedFile, 'utf8'));

  const missing = accepted.filter(({ file, before }) => {
    const code = readFileSync(file, 'utf8').replaceAll(/\s*\n\s*/g, ' ');
    return !code.includes(before);
  });

  expect(accepted.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});
