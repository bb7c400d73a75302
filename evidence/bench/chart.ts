import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as echarts from 'echarts';
import { CommandError } from '../../terminal/command-error.ts';
import { createProgram, runProgram } from '../../terminal/program.ts';
import { colours, fontFamily, framePicture } from '../kit/picture.ts';
import { type ApproachName, approachNames, type Measurement } from './measurement.ts';

const batch = 100;
const size = { width: 940, height: 600 };
/** Above and below the bars. */
const margin = 54;
const text = { color: colours.ink, fontFamily };
const own: ApproachName = 'click-tally';
const shades = [colours.bar1, colours.bar20, colours.bar100];
const ownShades = [colours.ownBar1, colours.ownBar20, colours.ownBar100];
const panels: Panel[] = [
  {
    title: 'Write units per click (fewer cost less)',
    left: 200,
    width: 300,
    digits: 2,
    read: (m) => m.writeUnitsPerClick,
  },
  {
    title: 'Speed ÷ hand-rolled (more is faster)',
    left: 575,
    width: 300,
    digits: 1,
    read: (m, base) => m.clicksPerSecond / base.clicksPerSecond,
  },
];
const pictureTitle =
  'Write units per click, and speed against the hand-rolled transaction, of six approaches';

interface Panel {
  title: string;
  left: number;
  width: number;
  digits: number;
  read: (measurement: Measurement, handRolled: Measurement) => number;
}

await runProgram(
  createProgram('bench:chart', "Draw the README's picture from the measurements of npm run bench.")
    .argument('<measurements>', 'file that npm run bench -- --json wrote')
    .argument('[svg]', 'file to write', 'docs/images/bench.svg')
    .action(writeChart),
);

async function writeChart(input: string, output: string): Promise<void> {
  const measurements: Measurement[] = JSON.parse(
    await readFile(input, 'utf8').catch(({ message }) => {
      throw new CommandError(`Expected a file of measurements: ${message}`);
    }),
  );
  await mkdir(path.dirname(output), { recursive: true });
  await writeFile(output, drawChart(measurements.filter((m) => m.batch === batch)));
}

/** Draws write units and speed by approach, with a bar for each number of links. */
function drawChart(shown: Measurement[]): string {
  const links = [...new Set(shown.map((m) => m.links))];
  return render({
    title: panels.map(({ title, left }) => ({
      text: title,
      left: left - 5,
      top: 16,
      textStyle: { ...text, fontSize: 16 },
    })),
    legend: {
      data: links.map(describeLinks),
      bottom: 14,
      itemGap: 48,
      textStyle: { ...text, fontSize: 14 },
    },
    grid: panels.map(({ left, width }) => ({ left, width, top: margin, bottom: margin })),
    xAxis: panels.map((_, gridIndex) => ({ type: 'value', gridIndex, show: false })),
    yAxis: panels.map((_, gridIndex) => ({
      type: 'category',
      gridIndex,
      inverse: true,
      data: [...approachNames],
      axisTick: { show: false },
      axisLine: { show: false },
      axisLabel: {
        show: gridIndex === 0,
        ...text,
        fontSize: 14,
        formatter: (name: string) => (name === own ? `{own|${name}}` : name),
        rich: { own: { color: colours.ownName, fontWeight: 'bold', fontSize: 16, fontFamily } },
      },
    })),
    series: panels.flatMap((panel, index) =>
      links.map((count) => drawBars(panel, index, { count, shown, links })),
    ),
  });
}

function drawBars(
  { read, digits }: Panel,
  gridIndex: number,
  { count, shown, links }: { count: number; shown: Measurement[]; links: number[] },
): echarts.BarSeriesOption {
  const find = (name: ApproachName) =>
    shown.find(({ approach, links }) => approach === name && links === count);
  const handRolled = find('hand-rolled');
  const shade = links.indexOf(count);
  return {
    type: 'bar',
    name: describeLinks(count),
    xAxisIndex: gridIndex,
    yAxisIndex: gridIndex,
    itemStyle: { color: shades[shade] ?? colours.ink },
    label: {
      show: true,
      position: 'right',
      formatter: ({ value }) => Number(value).toFixed(digits),
      ...text,
      fontSize: 13,
    },
    data: approachNames.map((approach) => {
      const measurement = find(approach);
      const value = measurement && handRolled ? read(measurement, handRolled) : Number.NaN;
      if (approach !== own) return value;
      return {
        value,
        itemStyle: { color: ownShades[shade] ?? colours.ink },
        label: { fontWeight: 'bold' as const },
      };
    }),
  };
}

function render(option: echarts.EChartsOption): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, ...size });
  chart.setOption({ ...option, animation: false, backgroundColor: 'transparent' });
  const svg = chart.renderToSVGString();
  chart.dispose();
  // A still picture needs no hover styles, and gets a frame of its own.
  const content = svg.replace(/<style ?>.*?<\/style>/s, '').replace(/^<svg[^>]*>|<\/svg>\s*$/g, '');
  return framePicture({ title: pictureTitle, ...size, content: drawBand() + content });
}

/** Sets our own row, the last one, off from the others. */
function drawBand(): string {
  const rowHeight = (size.height - 2 * margin) / approachNames.length;
  const y = size.height - margin - rowHeight;
  return `<rect x="14" y="${y}" width="${size.width - 28}" height="${rowHeight}" rx="6" fill="${colours.ownBand}" stroke="${colours.own}" stroke-width="2"/>`;
}

function describeLinks(count: number): string {
  return count === 1 ? 'all clicks on 1 link' : `on ${count} links`;
}
