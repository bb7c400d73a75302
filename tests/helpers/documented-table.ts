import { readFile, writeFile } from 'node:fs/promises';
import { expect } from 'vitest';

/**
 * Expects docs/failures.md to have a table between the comments with this name. With the variable FAILURES,
 * writes the table to the file that it names.
 */
export async function expectDocumented(name: string, table: string): Promise<void> {
  const { FAILURES: file } = process.env;
  const text = await readFile(file ?? 'docs/failures.md', 'utf8');
  const begin = `<!-- ${name}: npm run generate -- failures writes this -->\n\n`;
  expect(text).toContain(begin);
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(`\n\n<!-- /${name} -->`);
  if (file) await writeFile(file, text.slice(0, from) + table + text.slice(to));
  else expect(text.slice(from, to), 'run npm run generate -- failures').toBe(table);
}

/** What failed and how, and the other cells of its row. */
export interface Outcome {
  what: string;
  how: string;
  cells: readonly string[];
}

/** Failures of the same with the same outcome share a row. */
export function renderOutcomes(header: readonly string[], outcomes: readonly Outcome[]): string {
  const groups = Map.groupBy(outcomes, ({ what, cells }) => [what, ...cells].join(' | '));
  const rows = [...groups.values()].map((group) => {
    const hows = group.map(({ how }) => how).join('; ');
    return [group[0]?.what, hows, ...(group[0]?.cells ?? [])];
  });
  const [first, ...others] = [header, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [first, `|${'---|'.repeat(header.length)}`, ...others].join('\n');
}
