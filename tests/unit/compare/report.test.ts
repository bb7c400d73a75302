import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { CellResult } from '../../../evidence/compare/cell.ts';
import { drawMatrix } from '../../../evidence/compare/report/charts.ts';
import { renderPage } from '../../../evidence/compare/report/page.ts';
import { renderTables } from '../../../evidence/compare/report/terminal.ts';

const base: CellResult = {
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
  base,
  { ...base, approach: 'naive' },
  { ...base, fault: 'malformed' },
  { ...base, approach: 'naive', fault: 'malformed', doubled: 18, deadLettered: 9 },
  { ...base, fault: 'conflict' },
  { ...base, approach: 'hand-rolled', fault: 'conflict', lost: 4 },
  { ...base, approach: 'powertools', fault: 'timeout', effect: 'charge', doubled: 2 },
];
const facts = { clickCount: 200, batchSize: 10, seed: 1 };

describe('the page', () => {
  const page = renderPage(results, facts);

  test('asks for nothing else', () => {
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
    expect(page).toContain('a transaction that lost against another is taken for done');
  });
});

describe('the picture', () => {
  const counts = results.filter(({ effect }) => effect === 'count');

  const svg = drawMatrix(counts, 'Title', 'Note');

  test('is well-formed, and turns dark with the reader', () => {
    const withoutTags = svg.replaceAll(/<\/?[a-zA-Z]+(\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');
    expect(withoutTags).not.toMatch(/[<>]/);
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
  });

  test('says what each cell came to', () => {
    for (const text of ['>exact<', '>−4<', '>+18 DLQ 9<']) expect(svg).toContain(text);
  });
});

test('the tables for the terminal say the same', () => {
  const lines = stripVTControlCharacters(renderTables(results)).split('\n');
  expect(lines.find((line) => line.startsWith('malformed'))).toMatch(/\+18 DLQ 9 +✓$/);
  expect(lines.find((line) => line.startsWith('conflict'))).toMatch(/ −4 +✓$/);
});
