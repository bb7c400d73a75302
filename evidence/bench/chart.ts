import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as echarts from 'echarts';
import { CommandError } from '../../terminal/command-error.ts';
import { createProgram, runProgram } from '../../terminal/program.ts';
import { approachNames, type Measurement } from './measurement.ts';

const batch = 100;
const colours = ['#2f9e6e', '#4c78a8', '#b279a2'];
const text = { color: '#1f2329', fontFamily: 'system-ui, Roboto, sans-serif' };
const pictureTitle =
  'Write units per click, and speed against the hand-rolled transaction, of six approaches';

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
  const find = (approach: string, count: number) =>
    shown.find((m) => m.approach === approach && m.links === count);
  const base = (count: number) => find('hand-rolled', count)?.clicksPerSecond ?? Number.NaN;
  const panels = [
    { left: 190, width: 360, digits: 2, read: (m: Measurement) => m.writeUnitsPerClick },
    {
      left: 610,
      width: 320,
      digits: 1,
      read: (m: Measurement) => m.clicksPerSecond / base(m.links),
    },
  ];
  const titles = ['Write units per click', 'Speed ÷ hand-rolled'];
  return render({
    title: panels.map(({ left }, index) => ({
      text: titles[index] ?? '',
      left,
      top: 10,
      textStyle: { ...text, fontSize: 16 },
    })),
    legend: {
      data: links.map(describeLinks),
      bottom: 8,
      itemGap: 48,
      textStyle: { ...text, fontSize: 13 },
    },
    grid: panels.map(({ left, width }) => ({ left, width, top: 50, bottom: 50 })),
    xAxis: panels.map((_, gridIndex) => ({ type: 'value', gridIndex, show: false })),
    yAxis: panels.map((_, gridIndex) => ({
      type: 'category',
      gridIndex,
      inverse: true,
      data: [...approachNames],
      axisTick: { show: false },
      axisLine: { show: false },
      axisLabel: { show: gridIndex === 0, ...text, fontSize: 13 },
    })),
    series: panels.flatMap(({ read, digits }, index) =>
      links.map((count) => ({
        type: 'bar' as const,
        name: describeLinks(count),
        xAxisIndex: index,
        yAxisIndex: index,
        itemStyle: { color: colours[links.indexOf(count)] ?? '#888888' },
        label: {
          show: true,
          position: 'right' as const,
          formatter: ({ value }: { value?: unknown }) => Number(value).toFixed(digits),
          ...text,
          fontSize: 11,
        },
        data: approachNames.map((approach) => {
          const measurement = find(approach, count);
          return measurement ? read(measurement) : Number.NaN;
        }),
      })),
    ),
  });
}

function render(option: echarts.EChartsOption): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 980, height: 560 });
  chart.setOption({ ...option, animation: false, backgroundColor: '#ffffff' });
  const svg = chart.renderToSVGString();
  chart.dispose();
  // A still picture needs no hover styles.
  const still = svg.replace(/<style ><!\[CDATA\[.*?]]>\s*<\/style>/s, '');
  return still.replace(/(<svg[^>]*>)/, `$1<title>${pictureTitle}</title>`);
}

function describeLinks(count: number): string {
  return count === 1 ? 'all clicks on 1 link' : `on ${count} links`;
}
