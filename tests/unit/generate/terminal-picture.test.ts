import { expect, test } from 'vitest';
import { drawTerminal } from '../../../generate/terminal-picture.ts';

const readTexts = (svg: string) =>
  [...svg.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, text]) => text);

test('a picture of a terminal has its colours, and what XML could not hold', () => {
  const svg = drawTerminal(['\u001b[1m1. Bold\u001b[22m', '', '  \u001b[32m✔\u001b[39m a < b & c']);

  expect(readTexts(svg)).toEqual([
    '<tspan class="bold">1. Bold</tspan>',
    '',
    '  <tspan class="green">✔</tspan> a &lt; b &amp; c',
  ]);
});

test('a longer line than the terminal is wide goes on in the next row', () => {
  const rows = readTexts(drawTerminal(['x'.repeat(100)]));

  expect(rows.map((row) => row?.length)).toEqual([92, 8]);
});
