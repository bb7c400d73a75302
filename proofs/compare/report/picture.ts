import { colours, drawText, framePicture } from '../../tools/picture.ts';
import type { CellResult } from '../cell.ts';
import { type Approach, type Fault, faults, ownApproach } from '../names.ts';
import { arrangeMatrix } from './matrix.ts';
import { classifyOutcome, describeOutcome, isExact, type Outcome } from './outcome.ts';

const margin = 20;
const cell = { width: 46, height: 56, gap: 2 };
const textWidth = 420;
const top = 232;
const legend: [Outcome, string][] = [
  ['exact', '✓ each click counted once'],
  ['doubled', '+n counted too often'],
  ['lost', '−n lost'],
  ['dead', 'DLQ n good clicks in the dead-letter queue'],
];

/** Draws approaches against faults, with what each fault is, for the results of one effect. */
export function drawMatrix(results: CellResult[], note: string): string {
  const { approaches, rows } = arrangeMatrix(results, 'count');
  const injected = rows.filter(({ fault }) => fault !== 'none');
  const title = `${approaches.length} approaches against ${injected.length} faults`;
  const left = margin + textWidth;
  const width = left + approaches.length * cell.width + margin;
  const bottom = top + rows.length * cell.height;
  const own = approaches.indexOf(ownApproach);
  return framePicture({
    title,
    width,
    height: bottom + margin,
    content: [
      drawText(title, { x: margin, y: 40, size: 20, weight: 600 }),
      drawText(note, { x: margin, y: 64, fill: colours.faint }),
      ...drawLegend(),
      own === -1 ? '' : drawBand(left + own * cell.width, bottom),
      ...approaches.map((approach, column) => drawHead(approach, left + column * cell.width)),
      ...rows.map(({ fault, cells }, index) => {
        const y = top + index * cell.height;
        return [
          drawFault(fault, y, width),
          ...cells.map((result, column) => drawCell(result, left + column * cell.width, y)),
        ].join('\n');
      }),
    ].join('\n'),
  });
}

function drawLegend(): string[] {
  return legend.map(([outcome, text], index) => {
    const y = 84 + index * 24;
    const chip = `<rect x="${margin}" y="${y}" width="18" height="18" rx="3" fill="${colours[outcome]}" stroke="${colours.line}"/>`;
    return chip + drawText(text, { x: margin + 26, y: y + 14 });
  });
}

/** Sets our own column off from the others. */
function drawBand(x: number, bottom: number): string {
  return `<rect x="${x - 1}" y="${top - 8}" width="${cell.width + 2}" height="${bottom - top + 14}" rx="6" fill="${colours.ownBand}" stroke="${colours.own}" stroke-width="2"/>`;
}

function drawHead(approach: Approach, left: number): string {
  const [x, y] = [left + cell.width / 2 + 3, top - 16];
  const own = { fill: colours.ownName, weight: 700 };
  return drawText(approach, {
    x,
    y,
    size: 14,
    ...(approach === ownApproach && own),
    anchor: 'end',
    transform: `rotate(55 ${x} ${y})`,
  });
}

function drawFault(fault: Fault, y: number, width: number): string {
  const { what, why } = faults[fault];
  return [
    `<path d="M${margin} ${y}H${width - margin}" stroke="${colours.line}"/>`,
    drawText(fault, { x: margin, y: y + 17, size: 14, weight: 600 }),
    drawText(what, { x: margin, y: y + 33 }),
    drawText(why, { x: margin, y: y + 49, fill: colours.faint }),
  ].join('');
}

function drawCell(result: CellResult | undefined, left: number, top: number): string {
  if (!result) return '';
  const [x, y] = [left + cell.gap, top + cell.gap];
  const [width, height] = [cell.width - 2 * cell.gap, cell.height - 2 * cell.gap];
  const isOwnExact = result.approach === ownApproach && isExact(result);
  const fill = colours[isOwnExact ? 'own' : classifyOutcome(result)];
  const lines = isExact(result) ? ['✓'] : describeOutcome(result).split(/ (?=\D)/);
  const ink = isOwnExact ? 'onOwn' : isExact(result) ? 'onExact' : 'ink';
  const baseline = top + cell.height / 2 + 5 - (lines.length - 1) * 8;
  const texts = lines.map((line, index) =>
    drawText(line, {
      x: left + cell.width / 2,
      y: baseline + index * 16,
      size: isExact(result) ? 15 : 12,
      anchor: 'middle',
      weight: isOwnExact ? 700 : 400,
      fill: colours[ink],
    }),
  );
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="3" fill="${fill}"/>${texts.join('')}`;
}
