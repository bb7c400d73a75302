import { describe, expect, test } from 'vitest';
import { colours, darkColours, framePicture } from '../../../tools/picture.ts';

type Colour = keyof typeof colours;

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

const texts: [Colour, Colour][] = [
  ['ink', 'paper'],
  ['faint', 'paper'],
  ['ownName', 'paper'],
  ['ownName', 'ownBand'],
  ['ink', 'ownBand'],
  ['onOwn', 'own'],
  ['onExact', 'exact'],
  ['ink', 'doubled'],
  ['ink', 'lost'],
  ['ink', 'dead'],
];
const bars: Colour[] = ['ownBar1', 'ownBar20', 'ownBar100', 'bar1', 'bar20', 'bar100'];

describe.each([
  ['light', colours],
  ['dark', darkColours],
])('on a %s page', (_, scheme) => {
  // 4.5 is WCAG's level AA for text, and 3 the one for graphics.
  test.each(texts)('%s is legible on %s', (ink, paper) => {
    expect(contrastOf(scheme[ink], scheme[paper])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(bars)('%s stands out from its background', (bar) => {
    const background = bar.startsWith('own') ? scheme.ownBand : scheme.paper;

    expect(contrastOf(scheme[bar], background)).toBeGreaterThanOrEqual(3);
  });
});

describe('a picture', () => {
  const svg = framePicture({ title: 'A & B', width: 200, height: 100, content: '<g/>' });

  test('has its own background and a title', () => {
    expect(svg).toMatch(new RegExp(`<rect [^>]*fill="${colours.paper}"`));
    expect(svg).toContain('<title id="title">A &amp; B</title>');
  });

  test('turns each colour dark with the reader', () => {
    const [, rules = ''] = /@media \(prefers-color-scheme:dark\)\{(.*)\}<\/style>/.exec(svg) ?? [];

    expect(new Set(Object.values(colours)).size).toBe(Object.keys(colours).length);
    for (const name of Object.keys(colours) as Colour[]) {
      expect(rules).toContain(`[fill="${colours[name]}"]{fill:${darkColours[name]}}`);
    }
  });
});
