import * as echarts from 'echarts';
import type { CellResult } from '../cell.ts';
import type { Approach, Fault } from '../names.ts';
import { classifyOutcome, describeOutcome, type Outcome } from './outcome.ts';

type Theme = Record<'paper' | 'ink' | 'faint' | Outcome, string>;

/** The text of a cell also tells what its colour tells. */
const light: Theme = {
  paper: '#ffffff',
  ink: '#1f2329',
  faint: '#5b6470',
  exact: '#d8f0df',
  doubled: '#ffdca8',
  lost: '#ffc9c9',
  dead: '#d9d7fb',
};
const dark: Theme = {
  paper: '#0e1116',
  ink: '#e8ebf0',
  faint: '#9aa4b2',
  exact: '#12402a',
  doubled: '#6b4306',
  lost: '#74201f',
  dead: '#3b357f',
};

const font = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const rowHeight = 26;

/** Draws approaches against faults, for the results of one effect. */
export function drawMatrix(results: CellResult[], note: string): string {
  const approaches = [...new Set(results.map(({ approach }) => approach))];
  const faults = [...new Set(results.map(({ fault }) => fault))];
  const injected = faults.filter((fault) => fault !== 'none');
  const title = `${approaches.length} approaches against ${injected.length} faults`;
  const height = faults.length * rowHeight + 230;
  return draw(title, 1130, height, {
    title: titleOf(title, note),
    grid: { left: 150, right: 90, top: 200, bottom: 16 },
    xAxis: {
      type: 'category',
      data: approaches,
      position: 'top',
      axisLabel: { rotate: -40, interval: 0, color: light.ink, fontSize: 13, fontFamily: font },
      axisLine: { show: false },
      axisTick: { show: false },
    },
    yAxis: {
      type: 'category',
      data: faults,
      inverse: true,
      axisLabel: { color: light.ink, fontSize: 13, fontFamily: font },
      axisLine: { show: false },
      axisTick: { show: false },
    },
    series: [drawCells(results, approaches, faults)],
  });
}

function drawCells(
  results: CellResult[],
  approaches: Approach[],
  faults: Fault[],
): echarts.CustomSeriesOption {
  return {
    type: 'custom',
    data: results.map(({ approach, fault }) => [
      approaches.indexOf(approach),
      faults.indexOf(fault),
    ]),
    renderItem: ({ dataIndex }, api) => {
      const result = results[dataIndex];
      const [x = 0, y = 0] = api.coord([api.value(0), api.value(1)]);
      const [width = 0, height = 0] = [api.size?.([1, 1]) ?? []].flat();
      if (!result) throw new Error(`Expected a result at ${dataIndex}; there is none.`);
      return {
        type: 'rect',
        shape: {
          x: x - width / 2 + 1.5,
          y: y - height / 2 + 1.5,
          width: width - 3,
          height: height - 3,
          r: 3,
        },
        style: { fill: light[classifyOutcome(result)] },
        textConfig: { position: 'inside' },
        textContent: {
          type: 'text',
          style: { text: describeOutcome(result), fill: light.ink, fontSize: 12, fontFamily: font },
        },
      };
    },
  };
}

function titleOf(text: string, subtext: string): echarts.TitleComponentOption {
  return {
    text,
    subtext,
    left: 12,
    top: 10,
    textStyle: { color: light.ink, fontSize: 18, fontFamily: font },
    subtextStyle: { color: light.faint, fontSize: 13, lineHeight: 18, fontFamily: font },
  };
}

function draw(title: string, width: number, height: number, option: echarts.EChartsOption): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  chart.setOption({ ...option, animation: false, backgroundColor: light.paper });
  const svg = chart.renderToSVGString({ useViewBox: true });
  chart.dispose();
  // A still picture needs no hover styles.
  const still = svg.replace(/<style ><!\[CDATA\[.*?]]>\s*<\/style>/s, '');
  return followColourScheme(still).replace(/(<svg[^>]*>)/, `$1<title>${title}</title>`);
}

/** Replaces each colour by its dark counterpart if the reader's system is dark. */
function followColourScheme(svg: string): string {
  const rules = (Object.keys(light) as (keyof Theme)[]).map(
    (name) =>
      `[fill="${light[name]}"]{fill:${dark[name]}}[stroke="${light[name]}"]{stroke:${dark[name]}}`,
  );
  const style = `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>`;
  return svg.replace(/(<svg[^>]*>)/, `$1${style}`);
}
