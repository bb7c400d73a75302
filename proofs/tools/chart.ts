import { parse, textMetrics, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';

declare module 'vega' {
  /** Missing from Vega's own types. */
  const textMetrics: { width(item: { fontSize?: number }, text: string): number };
}

// Without a canvas, Vega overestimates the width of text by half and leaves wide gaps.
textMetrics.width = ({ fontSize = 11 }, text) => 0.58 * fontSize * String(text).length;

/** Each colour on a light and on a dark page. The light colours must differ from each other. */
const scheme = {
  paper: ['#ffffff', '#0d1117'],
  ink: ['#1f2328', '#e6edf3'],
  bar: ['#434f5f', '#c3cfdd'],
  own: ['#1a7f37', '#2ea043'],
  onOwn: ['#fffffe', '#000001'],
  exact: ['#eef2ef', '#161f1b'],
  doubled: ['#ffdca8', '#6b4306'],
  lost: ['#ffc9c9', '#74201f'],
  dead: ['#d9d7fb', '#3b357f'],
} as const;

type Colour = keyof typeof scheme;

/** A chart's colours. */
export const colours = Object.fromEntries(
  Object.entries(scheme).map(([name, [light]]) => [name, light]),
) as Record<Colour, string>;

const text = { labelColor: colours.ink, titleColor: colours.ink, labelFontSize: 13 };
const font = '-apple-system, BlinkMacSystemFont, Segoe UI, Noto Sans, Helvetica, Arial, sans-serif';
const config: Config = {
  aria: false,
  background: colours.paper,
  font,
  padding: 16,
  view: { stroke: null },
  axis: { ...text, title: null, domain: false, grid: false, ticks: false, labelLimit: 0 },
  legend: { ...text, title: null, labelLimit: 0, orient: 'bottom', symbolSize: 200 },
  title: { color: colours.ink, fontSize: 15, anchor: 'start' },
  text: { color: colours.ink, fontSize: 12 },
};

const darkRules = Object.values(scheme).map(
  ([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`,
);

/** Draws a Vega-Lite chart as an SVG that follows the reader's dark mode. */
export async function drawChart(title: string, spec: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile(spec, { config }).spec), { renderer: 'none' });
  const fontFamily = ` font-family="${font}"`;
  const svg = (await view.toSVG()).replaceAll(fontFamily, '');
  const style = `@media (prefers-color-scheme:dark){${darkRules.join('')}}`;
  const head = ` role="img"${fontFamily}><title>${title}</title><style>${style}</style>`;
  return `${svg.replace('>', head)}\n`;
}
