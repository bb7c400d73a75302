import { styleText } from 'node:util';
import {
  type ApproachName,
  type BenchResult,
  type Contender,
  isUsual,
  isVaried,
  type MarkerStorage,
  type Measurement,
} from './measurement.ts';

interface Table {
  heading: string;
  titles: string[];
  rows: Row[];
}

interface Row {
  cells: string[];
  isBold?: boolean;
  endsBlock?: boolean;
}

const own = 'click-tally';
const foreign = 'click-tally-foreign-ids';

/** Formats a run's results, with a table for each question. */
export function formatResult({ measurements, storage }: BenchResult): string {
  const usual = measurements.filter(isUsual);
  const tables = [
    tabulateApproaches(usual),
    tabulateSingles(usual),
    tabulateMinters(measurements),
    tabulateStorage(storage),
  ];
  return tables.map(formatTable).join('\n\n');
}

function tabulateApproaches(measurements: Measurement[]): Table {
  return {
    heading: 'All approaches',
    titles: [
      ...['links', 'batch', 'approach', 'units/click', 'requests/click', 'clicks/s'],
      ...['÷ hand-rolled', '÷ parallel', 'p50 ms', 'p99 ms', 'exact'],
    ],
    rows: measurements.map((m) => ({
      cells: [
        ...[String(m.links), String(m.batch), m.approach],
        ...[m.writeUnitsPerClick.toFixed(2), m.requestsPerClick.toFixed(3)],
        m.clicksPerSecond.toFixed(0),
        divideSpeed(m, findPeer(measurements, m, 'hand-rolled')),
        divideSpeed(m, findPeer(measurements, m, 'hand-rolled-parallel')),
        ...[m.p50Ms.toFixed(1), m.p99Ms.toFixed(1), m.exact ? 'yes' : 'NO'],
      ],
      isBold: m.approach === own,
      endsBlock: m.approach === foreign,
    })),
  };
}

/** Shows the cost of Powertools and the metrics when clicks don't share requests. */
function tabulateSingles(measurements: Measurement[]): Table {
  const singles = measurements.filter(({ batch, approach }) => batch === 1 && approach === own);
  return {
    heading: 'click-tally, alone in its batch',
    titles: ['links', 'p50 ms', '− hand-rolled', '÷ hand-rolled', '÷ powertools-transaction'],
    rows: singles.map((m) => {
      const handRolled = findPeer(measurements, m, 'hand-rolled');
      const stock = findPeer(measurements, m, 'powertools-transaction');
      const moreMs = m.p50Ms - (handRolled?.p50Ms ?? Number.NaN);
      const speeds = [divideSpeed(m, handRolled), divideSpeed(m, stock)];
      return { cells: [String(m.links), m.p50Ms.toFixed(2), moreMs.toFixed(2), ...speeds] };
    }),
  };
}

/** Shows where sheets stop paying off: with more environments, fewer clicks of a batch share one. */
function tabulateMinters(measurements: Measurement[]): Table {
  const ours = measurements.filter((m) => m.approach === own || m.approach === foreign);
  const rank = ({ environments = Number.MAX_SAFE_INTEGER }: Contender) => environments;
  const ordered = ours
    .filter(isVaried)
    .sort((a, b) => a.batch - b.batch || a.links - b.links || rank(a) - rank(b));
  return {
    heading: "click-tally, by the ids' source",
    titles: ['links', 'batch', 'ids', 'units/click', 'requests/click', 'clicks/s', '÷ foreign'],
    rows: ordered.map((m) => ({
      cells: [
        ...[String(m.links), String(m.batch), nameMinter(m)],
        ...[m.writeUnitsPerClick.toFixed(2), m.requestsPerClick.toFixed(3)],
        m.clicksPerSecond.toFixed(0),
        divideSpeed(m, findPeer(measurements, m, foreign)),
      ],
      endsBlock: m.approach === foreign,
    })),
  };
}

function tabulateStorage(storage: MarkerStorage[]): Table {
  return {
    heading: 'Bytes of the markers',
    titles: ['ids', 'clicks', 'items', 'bytes/click'],
    rows: storage.map(({ clicks, items, bytesPerClick, ...contender }) => ({
      cells: [nameMinter(contender), String(clicks), String(items), bytesPerClick.toFixed(1)],
    })),
  };
}

function nameMinter({ environments }: Contender): string {
  if (environments === undefined) return 'foreign';
  return environments === 1 ? '1 environment' : `${environments} environments`;
}

function findPeer(measurements: Measurement[], { links, batch }: Measurement, name: ApproachName) {
  return measurements.find(
    (m) => m.approach === name && m.links === links && m.batch === batch && isUsual(m),
  );
}

function divideSpeed({ clicksPerSecond }: Measurement, base: Measurement | undefined): string {
  return base ? (clicksPerSecond / base.clicksPerSecond).toFixed(2) : '';
}

function formatTable({ heading, titles, rows }: Table): string {
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const format = (cells: string[]) =>
    cells.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ');
  const lines = rows.map(({ cells, isBold = false, endsBlock = false }, index) => {
    const line = isBold ? styleText('bold', format(cells)) : format(cells);
    return endsBlock && index < rows.length - 1 ? `${line}\n` : line;
  });
  return [heading, styleText('dim', format(titles)), ...lines].join('\n');
}
