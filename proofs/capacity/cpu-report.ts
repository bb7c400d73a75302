import type { CpuRecord } from './cpu-record.ts';

/** Formats a measurement as the lines of a table. */
export function formatCpu(record: CpuRecord): string[] {
  const { measuredAt, cpu, node, reference, initMs, fit, relativeError, workloads } = record;
  const row = (cells: (string | number)[]) =>
    cells.map((cell) => String(cell).padStart(12)).join(' ');
  const rows = workloads.map((one) =>
    row([
      ...[one.clicks, one.links, one.environments ?? 'foreign', one.transactions.toFixed(1)],
      ...[one.items.toFixed(1), one.cpuMs.toFixed(2), one.fittedMs.toFixed(2)],
      `${(100 * one.residual).toFixed(0)}%`,
    ]),
  );
  return [
    row(['clicks', 'links', 'environments', 'transactions', 'items', 'CPU ms', 'fitted', 'error']),
    ...rows,
    '',
    `an invocation   ${fit.perInvocationMs.toFixed(3)} ms`,
    `a click         ${fit.perClickMs.toFixed(4)} ms`,
    `a transaction   ${fit.perTransactionMs.toFixed(3)} ms`,
    `an item         ${fit.perItemMs.toFixed(4)} ms`,
    `relative error  ${(100 * relativeError).toFixed(0)}%`,
    `init            ${initMs.toFixed(0)} ms`,
    `reference       ${reference.ms.toFixed(1)} ms`,
    `${cpu}, Node ${node}, ${measuredAt}`,
  ];
}
