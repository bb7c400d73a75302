import { type Column, renderTable } from '../tools/markdown-table.ts';
import {
  type ApproachName,
  approachNames,
  type BenchResult,
  type Contender,
  isUsual,
  isVaried,
  type MarkerStorage,
  type Measurement,
} from './measurement.ts';

const own = 'click-tally';

/** The parts of docs/performance.md that a run writes. */
export function renderParts({ measurements, storage }: BenchResult) {
  return {
    approaches: renderApproaches(measurements, 100),
    environments: renderEnvironments(measurements),
    storage: renderTable(storageColumns, storage),
    single: renderSingles(measurements),
  };
}

/** All of a run's tables: its parts, and the approaches for each size of batch. */
export function renderResult(result: BenchResult): string {
  const sizes = [...new Set(result.measurements.map(({ batch }) => batch))];
  const { approaches: _, ...parts } = renderParts(result);
  return [
    ...sizes.map((size) => renderApproaches(result.measurements, size)),
    ...Object.values(parts),
  ]
    .filter((table) => table !== '')
    .join('\n\n');
}

/** Compares the approaches with batches of one size. Each cell has a figure for each number of links. */
function renderApproaches(measurements: readonly Measurement[], batch: number): string {
  const compared = measurements.filter((m) => isUsual(m) && m.batch === batch);
  const links = [...new Set(compared.map((m) => m.links))];
  const column = (title: string, read: (m: Measurement) => string): Column<Measurement[]> => [
    title,
    (row) => row.map(read).join(', '),
    'words',
  ];
  const speedBeside = (peer: ApproachName) => (m: Measurement) =>
    divideSpeed(m, findPeer(compared, m, peer)).toFixed(1);
  const columns: Column<Measurement[]>[] = [
    [
      `batch of ${batch}, on ${links.join(', ')} links`,
      ([m]) => (m?.approach.startsWith(own) ? `**${m.approach}**` : `${m?.approach}`),
      'words',
    ],
    column('write units/click', (m) => m.writeUnitsPerClick.toFixed(2)),
    column('requests/click', (m) => m.requestsPerClick.toFixed(2)),
    column('speed ÷ hand-rolled', speedBeside('hand-rolled')),
    column('÷ hand-rolled-parallel', speedBeside('hand-rolled-parallel')),
    column('p50 ms', (m) => m.p50Ms.toFixed(m.p50Ms < 10 ? 1 : 0)),
    ['exact', (row) => (row.every(({ exact }) => exact) ? 'yes' : '**no**'), 'words'],
  ];
  const rows = approachNames.map((name) => compared.filter(({ approach }) => approach === name));
  return renderTable(
    columns,
    rows.filter((row) => row.length > 0),
  );
}

/** Shows the cost of Powertools and the metrics when clicks don't share requests. */
function renderSingles(measurements: readonly Measurement[]): string {
  const beside = (m: Measurement, name: ApproachName) => findPeer(measurements, m, name);
  const columns: Column<Measurement>[] = [
    ['links', (m) => `${m.links}`],
    ['p50 ms', (m) => m.p50Ms.toFixed(2)],
    [
      'more than hand-rolled, ms',
      (m) => (m.p50Ms - (beside(m, 'hand-rolled')?.p50Ms ?? Number.NaN)).toFixed(2),
    ],
    ['clicks/s ÷ hand-rolled', (m) => divideSpeed(m, beside(m, 'hand-rolled')).toFixed(2)],
    [
      '÷ powertools-transaction',
      (m) => divideSpeed(m, beside(m, 'powertools-transaction')).toFixed(2),
    ],
  ];
  const singles = measurements.filter(({ batch, approach }) => batch === 1 && approach === own);
  return renderTable(columns, singles);
}

/** Shows where sheets stop paying off: with more environments, fewer clicks of a batch share one. */
function renderEnvironments(measurements: readonly Measurement[]): string {
  const ours = measurements.filter((m) => isVaried(m) && m.approach.startsWith(own));
  const sources = [...new Set(ours.map(nameSource))].toSorted(
    new Intl.Collator('en', { numeric: true }).compare,
  );
  const columns: Column<Measurement[]>[] = [
    ['batch', ([m]) => `${m?.batch}`],
    ['links', ([m]) => `${m?.links}`],
    ...sources.map(
      (source): Column<Measurement[]> => [
        source,
        (row) => formatCost(row.find((m) => nameSource(m) === source)),
      ],
    ),
  ];
  const rows = Map.groupBy(ours, ({ batch, links }) => `${batch} ${links}`);
  return renderTable(columns, [...rows.values()]);
}

const formatCost = (m?: Measurement) =>
  m ? `${m.writeUnitsPerClick.toFixed(2)} · ${Math.round(m.clicksPerSecond / 100) / 10}k` : '';

const storageColumns: Column<MarkerStorage>[] = [
  ['ids of', nameSource, 'words'],
  ['clicks', ({ clicks }) => `${clicks}`],
  ['items', ({ items }) => `${items}`],
  ['bytes per click', ({ bytesPerClick }) => bytesPerClick.toFixed(1)],
];

function nameSource({ environments }: Contender): string {
  if (environments === undefined) return 'foreign ids';
  return environments === 1 ? '1 environment' : `${environments} environments`;
}

function findPeer(
  measurements: readonly Measurement[],
  { links, batch }: Measurement,
  name: ApproachName,
) {
  return measurements.find(
    (m) => m.approach === name && m.links === links && m.batch === batch && isUsual(m),
  );
}

function divideSpeed({ clicksPerSecond }: Measurement, base: Measurement | undefined): number {
  return clicksPerSecond / (base?.clicksPerSecond ?? Number.NaN);
}
