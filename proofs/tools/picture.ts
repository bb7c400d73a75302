export interface Picture {
  /** What the picture shows, for those who cannot see it. */
  title: string;
  width: number;
  height: number;
  /** SVG in which each colour is one of {@link colours}. */
  content: string;
}

/** Each colour, on a light page and on a dark one. No two colours are the same on a light page. */
const scheme = {
  paper: ['#ffffff', '#0d1117'],
  line: ['#d1d9e0', '#30363d'],
  ink: ['#1f2328', '#e6edf3'],
  faint: ['#59636e', '#9198a1'],
  own: ['#1a7f37', '#238636'],
  onOwn: ['#fffffe', '#fffffe'],
  ownName: ['#116329', '#56d364'],
  ownBand: ['#e6f6ea', '#10231a'],
  exact: ['#eef2ef', '#161f1b'],
  onExact: ['#187934', '#57ab5a'],
  doubled: ['#ffdca8', '#6b4306'],
  lost: ['#ffc9c9', '#74201f'],
  dead: ['#d9d7fb', '#3b357f'],
  ownBar1: ['#0f5323', '#9be9a8'],
  ownBar20: ['#1a7f39', '#4ac26b'],
  ownBar100: ['#2c974b', '#2da44e'],
  bar1: ['#434f5f', '#c3cfdd'],
  bar20: ['#64748a', '#96a5b8'],
  bar100: ['#8492a6', '#6d7d92'],
} as const;

type Colour = keyof typeof scheme;

/** The colours that a picture can have. */
export const colours = Object.fromEntries(
  Object.entries(scheme).map(([name, [light]]) => [name, light]),
) as Record<Colour, string>;

/** The colours that replace them on a dark page. */
export const darkColours = Object.fromEntries(
  Object.entries(scheme).map(([name, [, dark]]) => [name, dark]),
) as Record<Colour, string>;

const fontFamily =
  "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif";

/**
 * Puts a picture on a card of its own, so that it is legible on any page, and turns it dark with the
 * reader's system.
 */
export function framePicture({ title, width, height, content }: Picture): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="${fontFamily}">
<title id="title">${escapeMarkup(title)}</title>
<style>@media (prefers-color-scheme:dark){${darken()}}</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${colours.paper}" stroke="${colours.line}"/>
${content}
</svg>
`;
}

export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The place of a text is its baseline's start, or what its anchor says. */
export interface TextOptions {
  x: number;
  y: number;
  size?: number;
  weight?: number;
  fill?: string;
  anchor?: 'middle' | 'end';
  transform?: string;
}

/** One line of text; in ink, unless it has a colour. */
export function drawText(
  text: string,
  { x, y, size = 13, weight = 400, fill = colours.ink, anchor, transform }: TextOptions,
): string {
  const optional = [
    weight !== 400 && ` font-weight="${weight}"`,
    anchor && ` text-anchor="${anchor}"`,
    transform && ` transform="${transform}"`,
  ];
  const attributes = optional.filter(Boolean).join('');
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}"${attributes}>${escapeMarkup(text)}</text>`;
}

function darken(): string {
  const rules = Object.values(scheme).map(
    ([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`,
  );
  return rules.join('');
}
