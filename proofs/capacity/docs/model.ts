import { assumptions } from '../assumptions.ts';
import { readCpu } from '../cpu-record.ts';
import { type Limit, limits } from '../limits.ts';
import { formatCount } from '../report.ts';
import { traffics } from '../traffic.ts';
import { type Column, renderTable } from './markdown.ts';

const columns: Column<Limit>[] = [
  ['figure', ({ value }) => value.toLocaleString('en-US', { maximumFractionDigits: 4 })],
  ['unit', ({ unit }) => unit, 'words'],
  ['what it is of', ({ title }) => title, 'words'],
  ['basis', ({ basis }) => basis, 'words'],
  ['source', ({ source }) => linkSources(source), 'words'],
];

/** The traffics by name. */
export function renderTraffics(): string {
  return renderTable(
    [
      ['traffic', ({ name }) => `\`${name}\``, 'words'],
      ['clicks', ({ title }) => title, 'words'],
      [
        'measured',
        ({ measureFromSeconds, untilSeconds }) =>
          `${formatCount(untilSeconds - measureFromSeconds)} s`,
      ],
    ],
    traffics,
  );
}

/** All figures of the model: the limits, the CPU times, and what the costs assume. */
export function renderModel(): string {
  return [
    'What limits a click on AWS:',
    renderTable(columns, Object.values(limits)),
    'The CPU time of the aggregator:',
    renderTable(columns, listCpuTimes()),
    'What the costs assume:',
    renderTable(columns, Object.values(assumptions)),
  ].join('\n\n');
}

function listCpuTimes(): Limit[] {
  const { fit, initMs, cpu, node } = readCpu();
  const times: [title: string, value: number][] = [
    ['an invocation', fit.perInvocationMs],
    ['a click', fit.perClickMs],
    ['a transaction', fit.perTransactionMs],
    ['an item of a transaction', fit.perItemMs],
    ['the start of an environment', initMs],
  ];
  return times.map(([title, value]) => ({
    ...{
      title,
      value: Number(value.toPrecision(3)),
      unit: 'ms on a whole vCPU',
      basis: 'measured',
    },
    source: `proofs/capacity/cpu.json: ${cpu}, Node ${node}`,
  }));
}

/** An address becomes a link that is named for its last part, and a file of the repository one to it. */
export function linkSources(source: string): string {
  const link = (target: string, address: string) => `[${nameOf(target)}](${address})`;
  return source
    .replaceAll(/https:[^\s,;]+/g, (address) => link(address, address))
    .replaceAll(/(?<![\w/])(?:lib|evidence)\/[\w./-]+\w/g, (file) => link(file, `../${file}`));
}

function nameOf(target: string): string {
  const [path = target] = target.replace(/\/$|\.html$/, '').split('#');
  return path.slice(path.lastIndexOf('/') + 1);
}
