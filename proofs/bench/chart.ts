import { readFile, writeFile } from 'node:fs/promises';
import type { LayerSpec } from 'vega-lite/types_unstable/spec/layer.js';
import { CommandError } from '../../cli/terminal/command-error.ts';
import { createProgram, runProgram } from '../../cli/terminal/program.ts';
import { colours, drawChart } from '../tools/chart.ts';
import { approachNames, type BenchResult, isUsual, type Measurement } from './measurement.ts';

const batch = 100;

await runProgram(
  createProgram(
    'bench:chart',
    'Draw docs/images/bench.svg from the measurements of npm --prefix proofs run bench.',
  )
    .argument('<measurements>', 'file written by npm --prefix proofs run bench -- --json')
    .argument('[svg]', 'file to write', 'docs/images/bench.svg')
    .action(writeChart),
);

async function writeChart(input: string, output: string): Promise<void> {
  const { measurements }: BenchResult = JSON.parse(
    await readFile(input, 'utf8').catch(({ message }) => {
      throw new CommandError(`Expected a file of measurements: ${message}`);
    }),
  );
  await writeFile(output, await drawBench(measurements));
}

/** Draws write units and speed by approach, with a bar for each number of links. */
function drawBench(measurements: Measurement[]): Promise<string> {
  const shown = measurements.filter((one) => one.batch === batch && isUsual(one));
  const values = shown.map(({ approach, links, writeUnitsPerClick, clicksPerSecond }) => {
    const base = shown.find((one) => one.approach === 'hand-rolled' && one.links === links);
    return {
      approach,
      links: links === 1 ? 'all clicks on 1 link' : `on ${links} links`,
      units: writeUnitsPerClick,
      speed: clicksPerSecond / (base?.clicksPerSecond ?? Number.NaN),
    };
  });
  const isOwn = (field: string) => `indexof(datum.${field}, 'click-tally') === 0`;
  const panel = (title: string, field: string, format: string): LayerSpec<string> => ({
    title,
    width: 420,
    height: { step: 14 },
    encoding: {
      x: { field, type: 'quantitative', axis: null },
      y: {
        field: 'approach',
        type: 'nominal',
        sort: [...approachNames],
        axis: { labelFontWeight: { condition: { test: isOwn('label'), value: 700 }, value: 400 } },
      },
      yOffset: { field: 'links', sort: null },
    },
    layer: [
      {
        mark: 'bar',
        encoding: {
          color: { condition: { test: isOwn('approach'), value: colours.own }, value: colours.bar },
          opacity: { field: 'links', type: 'ordinal', sort: null, scale: { range: [1, 0.55] } },
        },
      },
      {
        mark: { type: 'text', align: 'left', dx: 4 },
        encoding: { text: { field, format } },
      },
    ],
  });
  return drawChart('Write units per click and speed of eight approaches', {
    data: { values },
    vconcat: [
      panel('Write units per click (fewer cost less)', 'units', '.2f'),
      panel('Speed ÷ hand-rolled (more is faster)', 'speed', '.1f'),
    ],
  });
}
