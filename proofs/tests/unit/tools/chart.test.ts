import { describe, expect, test } from 'vitest';
import { drawChart, scheme } from '../../../tools/chart.ts';

type Colour = keyof typeof scheme;

/** The relative luminance of WCAG 2. */
function luminanceOf(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const texts: [ink: Colour, paper: Colour][] = [
  ['ink', 'paper'],
  ['onOwn', 'own'],
  ['ink', 'exact'],
  ['ink', 'doubled'],
  ['ink', 'lost'],
  ['ink', 'dead'],
];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('on a %s page', (_, mode) => {
  // 4.5 is WCAG's level AA for text, and 3 the one for graphics.
  test.each(texts)('%s is legible on %s', (ink, paper) => {
    expect(contrastOf(scheme[ink][mode], scheme[paper][mode])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(['bar', 'own'] as const)('%s stands out from its background', (bar) => {
    expect(contrastOf(scheme[bar][mode], scheme.paper[mode])).toBeGreaterThanOrEqual(3);
  });
});

test('a chart has its own background and a title, and turns each colour dark with the reader', async () => {
  const svg = await drawChart('A title', {
    data: { values: [{ name: 'a', size: 1 }] },
    mark: { type: 'bar', color: scheme.own[0] },
    encoding: { y: { field: 'name', type: 'nominal' }, x: { field: 'size', type: 'quantitative' } },
  });

  expect(svg).toMatch(new RegExp(`<rect [^>]*fill="${scheme.paper[0]}"`));
  expect(svg).toContain('<title>A title</title>');
  const [, rules = ''] = /@media \(prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(svg) ?? [];
  const lights = Object.values(scheme).map(([light]) => light);
  expect(new Set(lights).size).toBe(lights.length);
  for (const [light, dark] of Object.values(scheme)) {
    expect(rules).toContain(`[fill="${light}"]{fill:${dark}}`);
  }
  // A colour outside of the scheme would stay as it is.
  const used = [...svg.matchAll(/ (?:fill|stroke)="(#\w+|\w+)"/g)].map(([, colour = '']) => colour);
  expect(
    used.filter((colour) => ![...lights, 'none', 'transparent'].includes(colour as never)),
  ).toEqual([]);
});
