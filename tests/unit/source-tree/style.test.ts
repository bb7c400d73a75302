import { expect, test } from 'vitest';
import { lint } from '../../helpers/lint.ts';

const functionOf = (lines: number) => `export function run() {\n${'step();\n'.repeat(lines)}}`;

test('the linter refuses code that breaks the style of the project', async () => {
  const broken = await lint({
    'lib/object-type.ts': 'export type Point = { x: number };',
    'lib/capitals.ts': 'export const MAX_ITEMS = 100;',
    'lib/non-null.ts': 'export const first = (list: string[]) => list[0]!.length;',
    'lib/any.ts': 'export const read = (value: any) => value.x;',
    'lib/global-variable.ts': 'export const read = (process: string) => process;',
    'lib/global-type.ts': 'export interface Request { url: string }',
    'lib/long-function.ts': functionOf(71),
    'lib/long-file.ts': 'step();\n'.repeat(251),
    // A command prints what others sent, so it prints through cli/terminal/print.ts.
    'cli/console.ts': "console.log('any text');",
    'tests/unit/it.test.ts': "import { it } from 'vitest';\nit('adds', () => {});",
    'tests/unit/inner-it.test.ts':
      "import { describe, it } from 'vitest';\ndescribe('a sum', () => it('adds', () => {}));",
  });

  expect(Object.fromEntries(broken)).toEqual({
    'lib/object-type.ts': ['lint/style/useConsistentTypeDefinitions'],
    'lib/capitals.ts': ['lint/style/useNamingConvention'],
    'lib/non-null.ts': ['lint/style/noNonNullAssertion'],
    'lib/any.ts': ['lint/suspicious/noExplicitAny'],
    'lib/global-variable.ts': ['plugin'],
    'lib/global-type.ts': ['plugin'],
    'lib/long-function.ts': ['lint/complexity/noExcessiveLinesPerFunction'],
    'lib/long-file.ts': ['lint/style/noExcessiveLinesPerFile'],
    'cli/console.ts': ['lint/suspicious/noConsole'],
    'tests/unit/it.test.ts': ['lint/nursery/useConsistentTestIt'],
    'tests/unit/inner-it.test.ts': ['lint/nursery/useConsistentTestIt'],
  });
});
