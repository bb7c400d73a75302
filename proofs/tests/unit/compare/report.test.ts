import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { CellResult } from '../../../compare/cell.ts';
import { faults } from '../../../compare/names.ts';
import { renderPage } from '../../../compare/report/page.ts';
import { drawMatrix } from '../../../compare/report/picture.ts';
import { renderTables } from '../../../compare/report/terminal.ts';
import { colours } from '../../../tools/chart.ts';

const exact: CellResult = {
  approach: 'click-tally',
  fault: 'none',
  effect: 'count',
  expected: 200,
  counted: 200,
  lost: 0,
  doubled: 0,
  deadLettered: 0,
};
const results: CellResult[] = [
  exact,
  { ...exact, approach: 'naive' },
  { ...exact, fault: 'malformed' },
  { ...exact, approach: 'naive', fault: 'malformed', doubled: 18, deadLettered: 9 },
  { ...exact, fault: 'conflict' },
  { ...exact, approach: 'hand-rolled', fault: 'conflict', lost: 4 },
  { ...exact, approach: 'powertools', fault: 'timeout', effect: 'charge', doubled: 2 },
];

describe('the page', () => {
  const page = renderPage(results, { clickCount: 200, batchSize: 10, seed: 1 });

  test('loads nothing else', () => {
    expect(page).not.toMatch(/\bsrc=|href="(?!#)|url\(|@import/);
  });

  test('links each failing cell to its reason', () => {
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);

    expect(links).toEqual([
      'hand-rolled.conflict.count',
      'naive.malformed.count',
      'powertools.timeout.charge',
    ]);
    for (const id of links) expect(page).toContain(`id="${id}"`);
    expect(page).toMatch(/id="hand-rolled.conflict.count">.*<dd>[^<]*TransactionCanceledException/);
  });
});

describe('a fault', () => {
  const { what, why } = faults.conflict;
  const guide = readFileSync('docs/compare.md', 'utf8');

  test('is explained above its row in the report', () => {
    const page = renderPage(results, { clickCount: 200, batchSize: 10, seed: 1 });

    const [row = ''] = /<tbody><tr><th[^>]*><p><b>conflict<.*?<\/tbody>/.exec(page) ?? [];

    expect(row).toContain(what);
    expect(row).toContain(why);
    expect(row).toContain('hand-rolled.conflict.count');
  });

  test.each(Object.entries(faults).filter(([name]) => name !== 'none'))(
    '%s is explained by the same sentences in docs/compare.md',
    (name, sentences) => {
      expect(guide).toContain(`| \`${name}\` | ${sentences.what} | ${sentences.why} |\n`);
    },
  );
});

describe('the picture', async () => {
  const svg = await drawMatrix(results.slice(0, -1), 'A & B');

  test('is well-formed', () => {
    const withoutTags = svg.replaceAll(/<\/?[a-zA-Z]+(\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');
    expect(withoutTags).not.toMatch(/[<>]/);
  });

  test('sets click-tally off from the others', () => {
    expect(svg).toMatch(/font-weight="700"[^>]*>click-tally</);
    // Three cells of click-tally are exact, and one of naive, whose colour is also in the legend.
    const filled = (fill: string) => svg.split(` fill="${fill}"`).length - 1;
    expect([filled(colours.own), filled(colours.exact)]).toEqual([3, 2]);
  });

  test('shows the outcome of each cell, under what was run', () => {
    const texts = ['>A &amp; B<', '>conflict<', '>✓<', '>−4<', '>+18<', '>DLQ 9<'];
    for (const text of texts) expect(svg).toContain(text);
  });
});

test('the terminal shows the same outcomes', () => {
  const lines = stripVTControlCharacters(renderTables(results)).split('\n');

  expect(lines.find((line) => line.startsWith('malformed'))).toMatch(/\+18 DLQ 9 +✓$/);
  expect(lines.find((line) => line.startsWith('conflict'))).toMatch(/ −4 +✓$/);
});
