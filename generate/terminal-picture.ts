import { chunk } from '../lib/chunk.ts';

/** Characters in a row, after which a terminal of this width begins the next one. */
const columns = 92;
const fontPx = 14;
const rowPx = 20;
/** Monospaced fonts have characters of 0.60 to 0.61 em. */
const columnPx = fontPx * 0.61;
const paddingPx = 16;

/** What a terminal's codes for styles turn on. All others turn a style off. */
const styles: Record<string, string> = { 1: 'bold', 31: 'red', 32: 'green' };

interface Character {
  text: string;
  style: string;
}

/** Draws lines as a terminal shows them, in light and dark colours. The text can be selected. */
export function drawTerminal(lines: readonly string[]): string {
  const rows = lines.flatMap((line) => {
    const characters = readCharacters(line);
    return characters.length === 0 ? [[]] : chunk(characters, columns);
  });
  const width = Math.ceil(columns * columnPx) + 2 * paddingPx;
  const height = rows.length * rowPx + 2 * paddingPx;
  const texts = rows.map((row, index) => {
    const y = paddingPx + (index + 0.7) * rowPx;
    return `<text x="${paddingPx}" y="${y}" xml:space="preserve">${drawRow(row)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>
  rect { fill: #f6f8fa; stroke: #d1d9e0 }
  text { fill: #1f2328; font: ${fontPx}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
  .bold { font-weight: 600 }
  .green { fill: #1a7f37 }
  .red { fill: #d1242f }
  @media (prefers-color-scheme: dark) {
    rect { fill: #151b23; stroke: #3d444d }
    text { fill: #f0f6fc }
    .green { fill: #3fb950 }
    .red { fill: #f85149 }
  }
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6"/>
${texts.join('\n')}
</svg>
`;
}

function readCharacters(line: string): Character[] {
  const characters: Character[] = [];
  // A code is the escape character, a bracket, a number and an m.
  const [first = '', ...styled] = line.split('\u001b[');
  for (const text of first) characters.push({ text, style: '' });
  for (const part of styled) {
    const end = part.indexOf('m');
    const style = styles[part.slice(0, end)] ?? '';
    for (const text of part.slice(end + 1)) characters.push({ text, style });
  }
  return characters;
}

function drawRow(row: readonly Character[]): string {
  let drawn = '';
  let current = '';
  for (const { text, style } of row) {
    if (style !== current) {
      if (current !== '') drawn += '</tspan>';
      if (style !== '') drawn += `<tspan class="${style}">`;
      current = style;
    }
    drawn += escapeXml(text);
  }
  return current === '' ? drawn : `${drawn}</tspan>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
