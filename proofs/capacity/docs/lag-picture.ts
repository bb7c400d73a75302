import { colours, drawText, framePicture } from '../../tools/picture.ts';
import { findTraffic } from '../traffic.ts';
import { type Box, labelSize, placeLabels } from './labels.ts';
import type { Run } from './read-runs.ts';
import { formatLag, isOwn, isRaised } from './runs.ts';

export const lagTitle =
  'How long clicks wait to be counted at stage prod, by the clicks a second; where the stage falls behind, the lag is only a lower bound';

const stage = 'prod';
const size = { width: 940, height: 500 };
const plot: Box = { left: 84, top: 122, width: 700, height: 300 };
/** Labels may leave the axes, to the right. */
const frame: Box = { left: plot.left, top: 112, width: size.width - plot.left - 12, height: 310 };
/** Half of a mark's width. A square is larger, so that a disc in the same place is seen too. */
const markSizes = { disc: 5, square: 9 };
const arrowLength = 20;

interface Point {
  run: Run;
  isHot: boolean;
  x: number;
  y: number;
}

interface Axis {
  /** The powers of ten, of which the first and the last are its ends. */
  powers: number[];
  /** Where a value is, from 0 to 1. */
  locate: (value: number) => number;
}

/**
 * Draws the 99th percentile of the lag against the clicks a second, for the steady traffics of prod.
 * @throws {Error} if there is no such run.
 */
export function drawLag(runs: readonly Run[]): string {
  const shown = runs.filter((run) => isOurs(run) && run.stage === stage && isSteady(run));
  const counted = shown.filter(({ lagMs }) => !Number.isNaN(lagMs.p99));
  if (counted.length === 0) throw new Error(`expected runs of ${stage} with a lag; got none`);
  const rates = createAxis(counted.map(readRate));
  const lags = createAxis(counted.map(readLag));
  const points = counted.map((run) => ({
    ...{ run, isHot: findTraffic(run.traffic).law.hotShare > 0 },
    x: plot.left + plot.width * rates.locate(readRate(run)),
    y: plot.top + plot.height * (1 - lags.locate(readLag(run))),
  }));
  const content = [
    drawText('99th percentile of the lag at prod', { x: 24, y: 36, size: 18, weight: 600 }),
    drawLegend(points),
    drawRateAxis(rates),
    drawLagAxis(lags),
    ...bySeries(points).map(drawLine),
    ...drawPoints(points),
    ...drawLabels(points),
  ];
  return framePicture({ title: lagTitle, ...size, content: content.join('\n') });
}

/** Of other settings, only those that help. */
const isOurs = (run: Run) => isOwn(run) || (isRaised(run) && run.holds);

function isSteady({ traffic }: Run): boolean {
  const { spike, outage } = findTraffic(traffic);
  return !spike && !outage;
}

const readRate = ({ traffic }: Run) => findTraffic(traffic).clicksPerSecond;
const readLag = ({ lagMs }: Run) => lagMs.p99 / 1_000;

function createAxis(values: number[]): Axis {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  const powers = Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index));
  return { powers, locate: (value) => (Math.log10(value) - first) / (last - first) };
}

function drawRateAxis({ powers, locate }: Axis): string {
  const bottom = plot.top + plot.height;
  const ticks = powers.map((power) => {
    const x = plot.left + plot.width * locate(power);
    const text = drawText(power.toLocaleString('en-US'), { x, y: bottom + 22, anchor: 'middle' });
    return `<path d="M${x} ${plot.top}V${bottom}" stroke="${colours.line}"/>${text}`;
  });
  const middle = plot.left + plot.width / 2;
  const title = drawText('clicks a second', {
    ...{ x: middle, y: bottom + 48, fill: colours.faint, anchor: 'middle' },
  });
  return [...ticks, title].join('\n');
}

function drawLagAxis({ powers, locate }: Axis): string {
  const ticks = powers.map((power) => {
    const y = plot.top + plot.height * (1 - locate(power));
    const text = drawText(`${power.toLocaleString('en-US')} s`, {
      ...{ x: plot.left - 10, y: y + 5, anchor: 'end' },
    });
    return `<path d="M${plot.left} ${y}H${plot.left + plot.width}" stroke="${colours.line}"/>${text}`;
  });
  return ticks.join('\n');
}

/** The points of each line, from the left; those with other settings stand alone. */
function bySeries(points: Point[]): Point[][] {
  const ordered = points.filter(({ run }) => isOwn(run)).toSorted((a, b) => a.x - b.x);
  return [false, true].map((isHot) => ordered.filter((point) => point.isHot === isHot));
}

/** A line that leads to where the stage falls behind is dashed. */
function drawLine(ordered: Point[]): string {
  return ordered
    .slice(1)
    .map((to, index) => {
      const from = ordered[index] ?? to;
      const dashes = from.run.holds && to.run.holds ? '' : ' stroke-dasharray="2 6"';
      return `<path d="M${from.x} ${from.y}L${to.x} ${to.y}" stroke="${colourOf(to)}" stroke-width="2"${dashes}/>`;
    })
    .join('\n');
}

const colourOf = ({ isHot }: Pick<Point, 'isHot'>) => (isHot ? colours.bar1 : colours.ownBar20);

/** Squares first, because they are larger. */
const drawPoints = (points: Point[]) =>
  points
    .toSorted((a, b) => Number(b.isHot) - Number(a.isHot))
    .map(({ run, ...place }) => drawMark({ ...place, holds: run.holds }));

/** A disc, or a square for a hot link; hollow and with an arrow where the stage falls behind. */
function drawMark({ isHot, holds, x, y }: Omit<Point, 'run'> & { holds: boolean }): string {
  const colour = colourOf({ isHot });
  const style = `fill="${holds ? colour : colours.paper}" stroke="${colour}" stroke-width="2"`;
  const half = sizeOf({ isHot });
  const mark = isHot
    ? `<rect x="${x - half}" y="${y - half}" width="${2 * half}" height="${2 * half}" ${style}/>`
    : `<circle cx="${x}" cy="${y}" r="${half}" ${style}/>`;
  const top = y - half - arrowLength;
  const arrow = `<path d="M${x} ${y - half}V${top}m-5 7l5 -7l5 7" fill="none" stroke="${colour}" stroke-width="2"/>`;
  return holds ? mark : arrow + mark;
}

const sizeOf = ({ isHot }: Pick<Point, 'isHot'>) => (isHot ? markSizes.square : markSizes.disc);

function drawLabels(points: Point[]): string[] {
  const obstacles = [...points.map(findBounds), ...bySeries(points).flatMap(findLineBounds)];
  const labels = points.map(({ run, x, y }) => ({
    ...{ x, y, text: `${nameRun(run)}: ${formatLag(run, run.lagMs.p99)}` },
  }));
  return placeLabels(labels, obstacles, frame).map(({ text, box }) =>
    drawText(text, {
      ...{ x: box.left + box.width / 2, y: box.top + labelSize, size: labelSize, weight: 600 },
      anchor: 'middle',
    }),
  );
}

/** Other settings stand right of the traffic that they are for, where a long name has no room. */
const nameRun = ({ traffic, tuning }: Run) =>
  tuning?.clickQueues ? `${tuning.clickQueues} queues` : traffic;

function findBounds({ run, isHot, x, y }: Point): Box {
  const half = sizeOf({ isHot });
  const above = run.holds ? half : half + arrowLength;
  return { left: x - half, top: y - above, width: 2 * half, height: above + half };
}

/** Small boxes along the line of a series. */
function findLineBounds(ordered: Point[]): Box[] {
  const steps = Array.from({ length: 40 }, (_, index) => index / 40);
  return ordered.slice(1).flatMap((to, index) => {
    const from = ordered[index] ?? to;
    return steps.map((share) => ({
      left: from.x + share * (to.x - from.x) - 2,
      top: from.y + share * (to.y - from.y) - 2,
      ...{ width: 4, height: 4 },
    }));
  });
}

function drawLegend(points: Point[]): string {
  const hot = points.find(({ isHot }) => isHot);
  const share = 100 * (hot ? findTraffic(hot.run.traffic).law.hotShare : 0);
  const y = 66;
  const entries = [
    { x: 32, text: 'spread over many links', isHot: false, holds: true },
    ...(hot
      ? [{ x: 222, text: `${share} % of all clicks on one link`, isHot: true, holds: true }]
      : []),
  ];
  const drawn = entries.map(({ x, text, isHot, holds }) => {
    return drawMark({ isHot, holds, x, y: y - 4 }) + drawText(text, { x: x + 16, y });
  });
  const note =
    'hollow: the stage falls behind; the lag grows while the traffic lasts, so this is only a lower bound';
  return [...drawn, drawText(note, { x: 24, y: y + 26, fill: colours.faint })].join('\n');
}
