import { InvalidArgumentError } from 'commander';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { loadPackagedService } from '../../fixtures/packaged-service.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { type Column, renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import type { Findings } from './auditor.ts';
import type { CellResult } from './cell.ts';
import { runGauntlet } from './gauntlet.ts';
import {
  type Approach,
  approaches,
  type Cell,
  faultGroups,
  listCells,
  ownApproach,
  remarks,
} from './names.ts';
import { type Fault, faults } from './plan.ts';

const description =
  'Run twelve approaches to counting clicks through nineteen faults on the local engine and audit ' +
  'the counts. Exits with 1 if click-tally is not exact in every cell.';

interface Options {
  quick?: boolean;
  only?: Cell[];
}

/** All but the runs without a fault. */
const realFaults = faults.filter((fault) => fault !== 'none');

await runProgram(
  createProgram('compare', description, 'proofs')
    .option('--quick', 'run every cell with fewer clicks, in about a minute')
    .option(
      '--only <pattern>',
      'run only cells whose "approach × fault" matches this regular expression',
      readOnly,
    )
    .action((options: Options) => runInterruptibly((signal) => compare(options, signal))),
);

async function compare(
  { quick, only: cells = listCells() }: Options,
  signal: AbortSignal,
): Promise<void> {
  const clickCount = quick ? 10 : 200;
  console.log(`${cells.length} cells of ${clickCount} clicks. Packaging …`);
  const service = await loadPackagedService();
  const progress = createProgress(cells.length, 'cells');
  const onResult = (result: CellResult) => {
    progress.add();
    progress.note(`${result.approach} × ${result.fault}: ${describeOutcome(result)}`);
  };
  const results = await runGauntlet({
    cells,
    clickCount,
    seed: 1,
    service,
    signal,
    onResult,
  }).finally(() => progress.end());
  const summary = renderSummary(results);
  const wrong = renderFaults(results);
  console.log(`\n${summary}\n\n${wrong}\n`);
  if (!quick && cells.length === listCells().length) {
    await writeParts('compare.md', 'compare', { summary, faults: wrong });
  }
  judgeClickTally(results);
}

/** @throws {InvalidArgumentError} if no cell matches. */
function readOnly(pattern: string): Cell[] {
  const isWanted = ({ approach, fault }: Cell) =>
    new RegExp(pattern).test(`${approach} × ${fault}`);
  const cells = listCells().filter(isWanted);
  if (cells.length > 0) return cells;
  const names = [...approaches, ...faults].join(', ');
  throw new InvalidArgumentError(`Expected a pattern for some of these names: ${names}.`);
}

/** Figures such as "+3" or "−4 DLQ 2", or "✓" if each click was counted once. */
function describeOutcome({ doubled, lost, deadLettered }: Findings): string {
  const figures = [
    lost > 0 && `−${lost}`,
    doubled > 0 && `+${doubled}`,
    deadLettered > 0 && `DLQ ${deadLettered}`,
  ].filter(Boolean);
  return figures.join(' ') || '✓';
}

/** A row for each approach, with the sum of each group of faults. */
function renderSummary(results: CellResult[]): string {
  const outcomeOf = (approach: Approach, group: readonly Fault[]) => {
    const cells = results.filter(
      (result) => result.approach === approach && group.includes(result.fault),
    );
    const sum = (figure: keyof Findings) => cells.reduce((total, cell) => total + cell[figure], 0);
    return describeOutcome({
      doubled: sum('doubled'),
      lost: sum('lost'),
      deadLettered: sum('deadLettered'),
    });
  };
  const columns = Object.entries(faultGroups).map(
    ([name, group]): Column<Approach> => [name, (row) => outcomeOf(row, group), 'words'],
  );
  return renderTable<Approach>(
    [['approach', (name) => `\`${name}\``, 'words'], ...columns],
    findShownApproaches(results),
  );
}

function findShownApproaches(results: CellResult[]): Approach[] {
  return approaches.filter((name) => results.some(({ approach }) => approach === name));
}

/**
 * For each approach, its remark and the outcomes that aren't exact, each with its faults, or their number
 * if it's more than half of all.
 */
function renderFaults(results: CellResult[]): string {
  const items = findShownApproaches(results).map((name) => {
    const inexact = results.filter(
      (result) => result.approach === name && describeOutcome(result) !== '✓',
    );
    if (inexact.length > realFaults.length / 2) {
      const fails = `Wrong under ${inexact.length} of the ${realFaults.length} faults.`;
      return `- **\`${name}\`:** ${remarks[name]} ${fails}`;
    }
    const byOutcome = Map.groupBy(inexact, describeOutcome);
    const outcomes = [...byOutcome].map(([outcome, cells]) => {
      const names = cells.map(({ fault }) => `\`${fault}\``);
      return `**${outcome}** ${names.join(', ')}`;
    });
    const end = outcomes.length > 0 ? ` ${outcomes.join('; ')}.` : '';
    return `- **\`${name}\`:** ${remarks[name]}${end}`;
  });
  return items.join('\n');
}

/** Fails if click-tally is not exact in a cell, because that is a bug of this service. */
function judgeClickTally(results: CellResult[]): void {
  const own = results.filter(({ approach }) => approach === ownApproach);
  const failing = own.filter((result) => describeOutcome(result) !== '✓');
  if (failing.length === 0) {
    console.log(`click-tally is exact in all of its ${own.length} cells.`);
    return;
  }
  const list = failing.map((result) => `${result.fault}: ${describeOutcome(result)}`).join(', ');
  console.error(`click-tally is not exact in ${failing.length} cells: ${list}`);
  process.exitCode = exitCodes.failure;
}
