import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { CellResult } from '../../../evidence/compare/cell.ts';
import { drawCosts, drawMatrix } from '../../../evidence/compare/report/charts.ts';
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
  writeUnitsPerClick: 4,
  requestsPerClick: 0.1,
  p50Ms: 5,
  p99Ms: 9,
};
const results: CellResult[] = [
  base,
  { ...base, approach: 'naive', writeUnitsPerClick: 2 },
  { ...base, fault: 'malformed' },
  { ...base, approach: 'naive', fault: 'malformed', doubled: 18, deadLettered: 9 },
  { ...base, fault: 'conflict' },
  { ...base, approach: 'hand-rolled', fault: 'conflict', lost: 4 },
  { ...base, approach: 'powertools', fault: 'timeout', effect: 'charge', doubled: 2 },
];
const facts = { clickCount: 200, batchSize: 10, seed: 1, price: 0.5, priceNote: 'A < B' };

describe('the page', () => {
  const page = renderPage(results, '<svg></svg>', facts);

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

  test('tells the cost at the price that was given', () => {
    // 4 units a click, half a dollar a million.
    expect(page).toContain('<td class="number">$2.00</td>');
    expect(page).toContain('A &lt; B');
  });
});

describe('the pictures', () => {
  const counts = results.filter(({ effect }) => effect === 'count');
  const costs = counts.filter(({ fault }) => fault === 'none');

  test.each([
    ['matrix', drawMatrix(counts, 'Title', 'Note')],
    ['costs', drawCosts(costs, 0.625, 'Note')],
  ])('of the %s are well-formed, and turn dark with the reader', (_, svg) => {
    const withoutTags = svg.replaceAll(/<\/?[a-zA-Z]+(\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '');
    expect(withoutTags).not.toMatch(/[<>]/);
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
  });

  test('say what each cell came to', () => {
    const svg = drawMatrix(counts, 'Title', 'Note');
    for (const text of ['>exact<', '>−4<', '>+18 DLQ 9<']) expect(svg).toContain(text);
  });
});

test('the tables for the terminal say the same', () => {
  const lines = stripVTControlCharacters(renderTables(results, 0.625)).split('\n');
  expect(lines.find((line) => line.startsWith('malformed'))).toMatch(/\+18 DLQ 9 +✓$/);
  expect(lines.find((line) => line.startsWith('conflict'))).toMatch(/ −4 +✓$/);
  expect(lines.find((line) => line.startsWith('click-tally'))).toMatch(/4\.00 +0\.10 +2\.50/);
});
