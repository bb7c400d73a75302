import { type Column, renderTable } from '../tools/markdown-table.ts';
import type { Measurement } from './measure.ts';

type Read = (measurement: Measurement) => string;

/** Compares the approaches with batches of one size. Each cell has a figure for each number of links. */
export function renderApproaches(measurements: readonly Measurement[], batch: number): string {
  const compared = measurements.filter((one) => one.batch === batch);
  const links = [...new Set(compared.map((one) => one.links))];
  const column = (title: string, read: Read): Column<Measurement[]> => [
    title,
    (row) => row.map(read).join(', '),
    'words',
  ];
  const speedBeside =
    (peer: string): Read =>
    (one) => {
      const base = compared.find(({ approach, links }) => approach === peer && links === one.links);
      return (one.clicksPerSecond / (base?.clicksPerSecond ?? Number.NaN)).toFixed(1);
    };
  const columns: Column<Measurement[]>[] = [
    [`batch of ${batch}, on ${links.join(', ')} links`, ([one]) => nameOf(one), 'words'],
    column('write units/click', (one) => one.writeUnitsPerClick.toFixed(2)),
    column('requests/click', (one) => one.requestsPerClick.toFixed(2)),
    column('speed ÷ hand-rolled', speedBeside('hand-rolled')),
    column('÷ hand-rolled-parallel', speedBeside('hand-rolled-parallel')),
    column('p50 ms', (one) => one.p50Ms.toFixed(one.p50Ms < 10 ? 1 : 0)),
    ['exact', (row) => (row.every(({ exact }) => exact) ? 'yes' : '**no**'), 'words'],
  ];
  return renderTable(columns, [...Map.groupBy(compared, ({ approach }) => approach).values()]);
}

function nameOf(one: Measurement | undefined): string {
  const { approach = '' } = one ?? {};
  return approach.startsWith('click-tally') ? `**${approach}**` : approach;
}
