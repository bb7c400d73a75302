// Draws docs/images/bench.svg from what `npm run bench -- --json FILE` wrote.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as echarts from 'echarts';
import { approachNames, type Measurement } from './measurement.ts';

const batch = 100;
const colours = ['#2f9e6e', '#4c78a8', '#b279a2'];
const font = 'system-ui, Roboto, sans-serif';

const [input, output = 'docs/images/bench.svg'] = process.argv.slice(2);
if (!input) {
  console.error('Expected a file of measurements: npm run bench:chart -- FILE [SVG]');
  process.exit(2);
}
const measurements: Measurement[] = JSON.parse(await readFile(input, 'utf8'));
await mkdir(path.dirname(output), { recursive: true });
await writeFile(output, drawChart(measurements.filter((m) => m.batch === batch)));

/** Write units and speed by approach, a bar for each number of links. */
function drawChart(shown: Measurement[]): string {
  const links = [...new Set(shown.map((m) => m.links))];
  const approaches = [...approachNames];
  const find = (approach: string, count: number) =>
    shown.find((m) => m.approach === approach && m.links === count);
  const base = (count: number) => find('hand-rolled', count)?.clicksPerSecond ?? Number.NaN;
  const panels = [
    { read: (m: Measurement) => m.writeUnitsPerClick, digits: 2 },
    { read: (m: Measurement) => m.clicksPerSecond / base(m.links), digits: 1 },
  ];
  const text = { color: '#1f2329', fontFamily: font };
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 980, height: 560 });
  chart.setOption({
    animation: false,
    backgroundColor: '#ffffff',
    title: [
      { text: 'Write units per click', left: 190, top: 10, textStyle: { ...text, fontSize: 16 } },
      { text: 'Speed ÷ hand-rolled', left: 610, top: 10, textStyle: { ...text, fontSize: 16 } },
    ],
    legend: {
      data: links.map(describeLinks),
      bottom: 8,
      itemGap: 48,
      textStyle: { ...text, fontSize: 13 },
    },
    grid: [
      { left: 190, width: 360, top: 50, bottom: 50 },
      { left: 610, width: 320, top: 50, bottom: 50 },
    ],
    xAxis: panels.map((_, index) => ({ type: 'value', gridIndex: index, show: false })),
    yAxis: panels.map((_, index) => ({
      type: 'category',
      gridIndex: index,
      inverse: true,
      data: approaches,
      axisTick: { show: false },
      axisLine: { show: false },
      axisLabel: { show: index === 0, ...text, fontSize: 13 },
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
        data: approaches.map((approach) => {
          const measurement = find(approach, count);
          return measurement ? read(measurement) : Number.NaN;
        }),
      })),
    ),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  // What would happen under a pointer: a still picture has no use for it.
  const still = svg.replace(/<style ><!\[CDATA\[.*?]]>\s*<\/style>/s, '');
  const title = 'Write units per click, and speed against the hand-rolled transaction, six ways';
  return still.replace(/(<svg[^>]*>)/, `$1<title>${title}</title>`);
}

function describeLinks(count: number): string {
  return count === 1 ? 'all clicks on 1 link' : `on ${count} links`;
}
