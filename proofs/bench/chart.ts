import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { colours, escapeMarkup, framePicture } from '../tools/picture.ts';
import {
  type ApproachName,
  approachNames,
  type BenchResult,
  isUsual,
  type Measurement,
} from './measurement.ts';

const batch = 100;
const size = { width: 940, height: 682 };
/** Above and below the bars. */
const margin = 54;
const rowHeight = (size.height - 2 * margin) / approachNames.length;
const barHeight = 19.7;
const barPitch = 21.7;
const legendStarts = [236, 450, 600];
/** The last rows. */
const own: readonly ApproachName[] = ['click-tally', 'click-tally-foreign-ids'];
const shades = [colours.bar1, colours.bar20, colours.bar100];
const ownShades = [colours.ownBar1, colours.ownBar20, colours.ownBar100];
const panels: Panel[] = [
  {
    title: 'Write units per click (fewer cost less)',
    left: 212,
    width: 290,
    digits: 2,
    read: (m) => m.writeUnitsPerClick,
  },
  {
    title: 'Speed ÷ hand-rolled (more is faster)',
    left: 585,
    width: 290,
    digits: 1,
    read: (m, base) => m.clicksPerSecond / base.clicksPerSecond,
  },
];
const pictureTitle =
  'Write units per click, and speed against the hand-rolled transaction, of seven approaches';

interface Panel {
  title: string;
  left: number;
  width: number;
  digits: number;
  read: (measurement: Measurement, handRolled: Measurement) => number;
}

await runProgram(
  createProgram(
    'bench:chart',
    "Draw the README's picture from the measurements of npm --prefix proofs run bench.",
  )
    .argument('<measurements>', 'file that npm --prefix proofs run bench -- --json wrote')
    .argument('[svg]', 'file to write', 'docs/images/bench.svg')
    .action(writeChart),
);

async function writeChart(input: string, output: string): Promise<void> {
  const { measurements }: BenchResult = JSON.parse(
    await readFile(input, 'utf8').catch(({ message }) => {
      throw new CommandError(`Expected a file of measurements: ${message}`);
    }),
  );
  await mkdir(path.dirname(output), { recursive: true });
  await writeFile(output, drawChart(measurements.filter((m) => m.batch === batch && isUsual(m))));
}

/** Draws write units and speed by approach, with a bar for each number of links. */
function drawChart(shown: Measurement[]): string {
  const links = [...new Set(shown.map((m) => m.links))];
  const content = [
    drawBand(),
    ...approachNames.map(drawName),
    ...panels.map((panel) => drawPanel(panel, shown, links)),
    drawLegend(links),
  ].join('\n');
  return framePicture({ title: pictureTitle, ...size, content });
}

function drawName(name: ApproachName, row: number): string {
  const style = own.includes(name) ? { fill: colours.ownName, size: 15, bold: true } : {};
  return drawText(name, { x: 204, y: middleOf(row), anchor: 'end', ...style });
}

function drawPanel(panel: Panel, shown: Measurement[], links: number[]): string {
  const bars = approachNames.flatMap((approach, row) =>
    links.flatMap((count, index) => {
      const find = (name: ApproachName) =>
        shown.find((one) => one.approach === name && one.links === count);
      const [measurement, handRolled] = [find(approach), find('hand-rolled')];
      if (!measurement || !handRolled) return [];
      const y = middleOf(row) + (index - (links.length - 1) / 2) * barPitch;
      return { value: panel.read(measurement, handRolled), approach, index, y };
    }),
  );
  const scale = panel.width / Math.max(...bars.map(({ value }) => value));
  const drawn = bars.map(({ value, approach, index, y }) => {
    const fill = (own.includes(approach) ? ownShades : shades)[index] ?? colours.ink;
    const width = Math.round(value * scale * 10) / 10;
    const label = { x: panel.left + width + 5, y, size: 13, bold: own.includes(approach) };
    return `${drawBar(panel.left, y, width, fill)}${drawText(value.toFixed(panel.digits), label)}`;
  });
  return [drawText(panel.title, { x: panel.left, y: 29, size: 16, bold: true }), ...drawn].join(
    '\n',
  );
}

function drawLegend(links: number[]): string {
  const y = size.height - 26;
  return links
    .map((count, index) => {
      const x = legendStarts[index] ?? 0;
      const fill = shades[index] ?? colours.ink;
      return `${drawBar(x, y, 25, fill)}${drawText(describeLinks(count), { x: x + 32, y })}`;
    })
    .join('\n');
}

function drawBar(x: number, middle: number, width: number, fill: string): string {
  return `<rect x="${x}" y="${middle - barHeight / 2}" width="${width}" height="${barHeight}" fill="${fill}"/>`;
}

interface TextOptions {
  x: number;
  y: number;
  size?: number;
  bold?: boolean;
  fill?: string;
  anchor?: 'start' | 'end';
}

function drawText(
  text: string,
  { x, y, size = 14, bold = false, fill = colours.ink, anchor = 'start' }: TextOptions,
): string {
  const weight = bold ? ' font-weight="bold"' : '';
  return `<text x="${x}" y="${y}" dominant-baseline="central" text-anchor="${anchor}" font-size="${size}"${weight} fill="${fill}">${escapeMarkup(text)}</text>`;
}

/** Sets our own rows off from the others. */
function drawBand(): string {
  const height = own.length * rowHeight;
  const y = size.height - margin - height;
  return `<rect x="14" y="${y}" width="${size.width - 28}" height="${height}" rx="6" fill="${colours.ownBand}" stroke="${colours.own}" stroke-width="2"/>`;
}

function middleOf(row: number): number {
  return margin + (row + 0.5) * rowHeight;
}

function describeLinks(count: number): string {
  return count === 1 ? 'all clicks on 1 link' : `on ${count} links`;
}
