import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { CellResult } from '../../../evidence/compare/cell.ts';
import { drawMatrix } from '../../../evidence/compare/report/charts.ts';
import { renderPage } from '../../../evidence/compare/report/page.ts';
import { renderTables } from '../../../evidence/compare/report/terminal.ts';

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

describe('the picture', () => {
  const svg = drawMatrix(
    results.filter(({ effect }) => effect === 'count'),
    'Note',
  );

  test('is well-formed', () => {
    const withoutTags = svg.replaceAll(/<\/?[a-zA-Z]+(\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');
    expect(withoutTags).not.toMatch(/[<>]/);
  });

  test('turns dark with the reader', () => {
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
  });

  test('shows the outcome of each cell, and how many there are', () => {
    const texts = ['>exact<', '>−4<', '>+18 DLQ 9<', '3 approaches against 2 faults'];
    for (const text of texts) expect(svg).toContain(text);
  });
});

test('the terminal shows the same outcomes', () => {
  const lines = stripVTControlCharacters(renderTables(results)).split('\n');

  expect(lines.find((line) => line.startsWith('malformed'))).toMatch(/\+18 DLQ 9 +✓$/);
  expect(lines.find((line) => line.startsWith('conflict'))).toMatch(/ −4 +✓$/);
});
