import { colours, drawText, framePicture } from '../../tools/picture.ts';
import type { Part } from '../costs.ts';
import { sumDollars } from '../pricing.ts';
import type { Run } from './read-runs.ts';
import { approachNames, isOwn } from './runs.ts';

export const dollarsTitle =
  'Dollars for a million clicks at stage prod, by part: of click-tally at each traffic, and of others at the busy one';

const stage = 'prod';
/** The traffic at which others are drawn too. */
const comparedTraffic = 'busy';
/** From the left. What counting costs is green, what it takes to get a click there is grey. */
const groups: { title: string; colour: string; parts: readonly Part['name'][] }[] = [
  { title: 'writes, markers', colour: colours.ownBar1, parts: ['writes', 'marker storage'] },
  { title: 'queue', colour: colours.ownBar20, parts: ['queue'] },
  { title: 'aggregator', colour: colours.ownBar100, parts: ['aggregator'] },
  { title: 'bus', colour: colours.bar1, parts: ['bus'] },
  { title: 'API and resolver', colour: colours.bar20, parts: ['API', 'resolver', 'reads'] },
  {
    ...{ title: 'logs, traces, alarms, live page', colour: colours.bar100 },
    parts: ['logs', 'traces', 'metrics, alarms and dashboard', 'live page'],
  },
];
const legendStarts = [24, 168, 252, 366, 434, 580];
const left = 236;
const barsWidth = 610;
const top = 106;
const rowHeight = 34;
const barHeight = 22;
/** Between our rows and those of others. */
const rowGap = 20;
const width = 940;

interface Bar {
  name: string;
  parts: readonly Part[];
  isOwn: boolean;
}

/**
 * Draws dollars a million clicks through the API as stacked bars.
 * @throws {Error} if no run of prod counted a click.
 */
export function drawDollars(runs: readonly Run[]): string {
  const bars = runs.filter(isShown).flatMap(toBar);
  const own = bars.filter((bar) => bar.isOwn);
  if (own.length === 0) throw new Error(`expected runs of ${stage} with dollars; got none`);
  const ordered = [...own, ...bars.filter((bar) => !bar.isOwn)];
  const scale = barsWidth / Math.max(...ordered.map(({ parts }) => sumDollars(parts)));
  const rows = ordered.map((bar, index) => {
    const y = top + index * rowHeight + (bar.isOwn ? 0 : rowGap);
    return drawBar(bar, y, scale);
  });
  const heading = 'Dollars a million clicks through the API, at prod';
  return framePicture({
    ...{ title: dollarsTitle, width, height: top + ordered.length * rowHeight + rowGap + 16 },
    content: [
      drawText(heading, { x: 24, y: 36, size: 18, weight: 600 }),
      drawLegend(),
      ...rows,
    ].join('\n'),
  });
}

const isShown = (run: Run) =>
  run.stage === stage && (isOwn(run) || run.traffic === comparedTraffic);

function toBar(run: Run): Bar[] {
  const { traffic, approach, holds, dollars } = run;
  if (!dollars) return [];
  const name = isOwn(run) ? traffic : `${traffic}, ${approachNames[approach]}`;
  return [
    {
      ...{ name: holds ? name : `${name} (falls behind)`, isOwn: isOwn(run) },
      parts: dollars.throughApi,
    },
  ];
}

function drawBar({ name, parts, isOwn: own }: Bar, y: number, scale: number): string {
  const middle = y + barHeight / 2 + 5;
  const style = own ? { fill: colours.ownName, weight: 600 } : {};
  let x = left;
  const segments = groups.map((group) => {
    const segment = scale * sumDollars(parts.filter((part) => group.parts.includes(part.name)));
    const drawn = `<rect x="${round(x)}" y="${y}" width="${round(segment)}" height="${barHeight}" fill="${group.colour}" stroke="${colours.paper}"/>`;
    x += segment;
    return drawn;
  });
  return [
    drawText(name, { x: left - 10, y: middle, anchor: 'end', ...style }),
    ...segments,
    drawText(`$${sumDollars(parts).toFixed(2)}`, { x: round(x + 8), y: middle, weight: 600 }),
  ].join('');
}

const round = (pixels: number) => Math.round(10 * pixels) / 10;

function drawLegend(): string {
  const y = 58;
  return groups
    .map(({ title, colour }, index) => {
      const x = legendStarts[index] ?? 0;
      const chip = `<rect x="${x}" y="${y}" width="14" height="14" rx="2" fill="${colour}"/>`;
      return chip + drawText(title, { x: x + 20, y: y + 12 });
    })
    .join('\n');
}
