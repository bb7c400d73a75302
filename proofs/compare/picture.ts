import { colours, drawChart } from '../tools/chart.ts';
import type { CellResult } from './cell.ts';
import { approaches, faults, ownApproach } from './names.ts';
import { classifyOutcome, describeOutcome } from './outcome.ts';

const legend = {
  exact: '✓ each click counted once',
  doubled: '+n counted too often',
  lost: '−n lost',
  dead: 'DLQ n in the dead-letter queue',
};

/** Draws approaches against faults. */
export function drawMatrix(results: CellResult[], note: string): Promise<string> {
  const values = results.map((result) => ({
    approach: result.approach,
    fault: result.fault,
    outcome: legend[classifyOutcome(result)],
    figures: describeOutcome(result).replaceAll(/ (?=\D)/g, '\n'),
  }));
  const isOwn = (field: string) => `datum.${field} === '${ownApproach}'`;
  const isOwnExact = `${isOwn('approach')} && datum.figures === '✓'`;
  return drawChart('Approaches against faults', {
    title: { text: note, fontSize: 13, fontWeight: 400 },
    data: { values },
    width: { step: 48 },
    height: { step: 32 },
    encoding: {
      x: {
        field: 'approach',
        type: 'nominal',
        sort: [...approaches],
        axis: {
          orient: 'top',
          labelAngle: -45,
          labelFontWeight: { condition: { test: isOwn('value'), value: 700 }, value: 400 },
        },
      },
      y: { field: 'fault', type: 'nominal', sort: [...faults] },
    },
    layer: [
      {
        mark: { type: 'rect', stroke: colours.paper, strokeWidth: 3 },
        encoding: {
          color: {
            condition: { test: isOwnExact, value: colours.own },
            field: 'outcome',
            legend: { columns: 2 },
            scale: {
              domain: Object.values(legend),
              range: [colours.exact, colours.doubled, colours.lost, colours.dead],
            },
          },
        },
      },
      {
        mark: {
          type: 'text',
          lineBreak: '\n',
          dy: { expr: "indexof(datum.figures, '\\n') > 0 ? -6 : 0" },
        },
        encoding: {
          text: { field: 'figures' },
          color: { condition: { test: isOwnExact, value: colours.onOwn }, value: colours.ink },
        },
      },
    ],
  });
}
