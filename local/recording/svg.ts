import { type Run, styles } from './terminal-text.ts';
import type { Row, Timeline } from './timeline.ts';

export interface Screen {
  /** What the picture shows, for those who cannot see it. */
  title: string;
  columns: number;
  visibleRows: number;
}

const character = { width: 8.4, height: 20, size: 14 };
const padding = 16;
const barHeight = 34;
// Lighter than GitHub's dark page, and with a frame, so the window stands out on it.
const colours = {
  paper: '#161b22',
  bar: '#21262d',
  frame: '#484f58',
  ink: '#e6edf3',
  dim: '#9ea7b1',
  red: '#ff8880',
  green: '#56d364',
  yellow: '#e3b341',
  magenta: '#d2a8ff',
  cyan: '#76e3ea',
};

const promptColumns = 2;

/**
 * Draws a terminal that plays the timeline in a loop. CSS alone animates it, because GitHub shows the
 * file as an image. Without the animation, or for readers who want no motion, it is the last moment.
 */
export function drawTerminal(timeline: Timeline, screen: Screen): string {
  const width = screen.columns * character.width + 2 * padding;
  const rowsHeight = screen.visibleRows * character.height;
  const height = barHeight + rowsHeight + 1.5 * padding;
  const last = timeline.rows.length - 1;
  const cursor = drawCursor(promptColumns, last);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${escapeMarkup(screen.title)}</title>
<style>
text{font:${character.size}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;fill:${colours.ink}}
.bold{font-weight:bold}
${drawPalette()}
g{animation:0s step-end infinite;animation-duration:${timeline.durationMs / 1000}s}
.typing{opacity:0}
${animateScrolling(timeline, screen)}
${animateRows(timeline)}
@media (prefers-reduced-motion:reduce){*{animation:none!important}}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9.5" fill="${colours.paper}" stroke="${colours.frame}"/>
<path d="M1 ${barHeight}V10a9 9 0 0 1 9-9H${width - 10}a9 9 0 0 1 9 9V${barHeight}Z" fill="${colours.bar}"/>
<circle cx="20" cy="17" r="6" fill="#ff5f57"/><circle cx="40" cy="17" r="6" fill="#febc2e"/><circle cx="60" cy="17" r="6" fill="#28c840"/>
<svg y="${barHeight + padding / 2}" width="${width - 1}" height="${rowsHeight}">
<g id="scroll">
${timeline.rows.map(drawRow).join('\n')}
<g class="at-${timeline.rows[last]?.atMs}">${cursor}</g>
</g>
</svg>
</svg>
`;
}

function drawRow({ runs, atMs, typingMs }: Row, index: number): string {
  const text = runs.map((run) => run.text).join('');
  const trimmed = text.trimEnd();
  if (trimmed === '') return '';
  const typing = typingMs === undefined ? '' : drawTyping(countTyped(runs), index);
  const length = [...trimmed].length * character.width;
  return `<g class="at-${atMs}"><text x="${padding}" y="${baselineOf(index)}" textLength="${round(length)}">${runs.map(drawRun).join('').trimEnd()}</text>${typing}</g>`;
}

function drawRun({ text, style }: Run): string {
  const escaped = escapeMarkup(text);
  return style === '' ? escaped : `<tspan class="${style}">${escaped}</tspan>`;
}

/** Hides the text behind a cover, and moves the cover and a cursor over it. */
function drawTyping(typed: number, index: number): string {
  const [x, y] = [padding + promptColumns * character.width, topOf(index)];
  const width = (typed + 1) * character.width;
  const cover = `<rect x="${x}" y="${y}" width="${round(width)}" height="${character.height}" fill="${colours.paper}"/>`;
  return `<g class="typing" id="typing-${index}">${cover}${drawCursor(promptColumns, index)}</g>`;
}

function drawCursor(column: number, index: number): string {
  const x = padding + column * character.width;
  return `<rect x="${round(x)}" y="${topOf(index) + 2}" width="${character.width}" height="${character.height - 4}" fill="${colours.ink}"/>`;
}

function drawPalette(): string {
  return styles
    .filter((style) => style in colours)
    .map((style) => `.${style}{fill:${colours[style as keyof typeof colours]}}`)
    .join('');
}

function animateScrolling({ rows, durationMs }: Timeline, { visibleRows }: Screen): string {
  const offsets = new Map<number, number>();
  for (const [index, { atMs }] of rows.entries()) {
    offsets.set(atMs, Math.max(0, index + 1 - visibleRows) * character.height);
  }
  const frames = [...offsets].map(
    ([atMs, offset]) => `${percentOf(atMs, durationMs)}{transform:translateY(-${offset}px)}`,
  );
  const final = [...offsets.values()].at(-1) ?? 0;
  return `#scroll{transform:translateY(-${final}px);animation-name:scroll}@keyframes scroll{${frames.join('')}}`;
}

function animateRows({ rows, durationMs }: Timeline): string {
  const appearances = [...new Set(rows.map(({ atMs }) => atMs))].map((atMs) => {
    const hidden = atMs === 0 ? '' : '0%{opacity:0}';
    return `.at-${atMs}{animation-name:at-${atMs}}@keyframes at-${atMs}{${hidden}${percentOf(atMs, durationMs)}{opacity:1}}`;
  });
  const typings = rows.flatMap(({ runs, atMs, typingMs }, index) => {
    if (typingMs === undefined) return [];
    const typed = countTyped(runs);
    const [start, end, gone] = [atMs, atMs + typingMs, rows[index + 1]?.atMs ?? durationMs].map(
      (ms) => percentOf(ms, durationMs),
    );
    const name = `typing-${index}`;
    const moved = `transform:translateX(${round(typed * character.width)}px)`;
    return `#${name}{animation-name:${name}}@keyframes ${name}{0%{opacity:1}${start}{opacity:1;transform:none;animation-timing-function:steps(${typed})}${end}{opacity:1;${moved}}${gone}{opacity:0;${moved}}}`;
  });
  return [...appearances, ...typings].join('\n');
}

const countTyped = (runs: Run[]) =>
  [...runs.map(({ text }) => text).join('')].length - promptColumns;
const topOf = (index: number) => index * character.height;
const baselineOf = (index: number) => topOf(index) + 15;
const round = (value: number) => Math.round(value * 100) / 100;
const percentOf = (ms: number, ofMs: number) => `${round((ms / ofMs) * 100)}%`;

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
