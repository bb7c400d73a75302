import { InvalidArgumentError } from 'commander';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { loadPackagedService } from '../../fixtures/packaged-service.ts';
import { runInterruptibly } from '../../local/run-interruptibly.ts';
import { renderTable } from '../tools/markdown-table.ts';
import { writeParts } from '../tools/page-part.ts';
import { runGauntlet } from './gauntlet.ts';
import { approaches, faultGroups, listCells, ownApproach, remarks, } from './names.ts';
import { faults } from './plan.ts';
const description = 'Run twelve approaches to counting clicks through nineteen faults on the local engine and audit ' +
    'the counts. Exits with 1 if click-tally is not exact in every cell.';
await runProgram(createProgram('compare', description, 'proofs')
    .option('--quick', 'run every cell with fewer clicks, in about a minute')
    .option('--only <pattern>', 'run only cells whose "approach × fault" matches this regular expression', readOnly)
    .action((options) => runInterruptibly((signal) => compare(options, signal))));
async function compare({ quick, only: cells = listCells() }, signal) {
    const clickCount = quick ? 10 : 200;
    console.log(`${cells.length} cells of ${clickCount} clicks. Packaging …`);
    const service = await loadPackagedService();
    const progress = createProgress(cells.length, 'cells');
    const onResult = (result) => {
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
    const matrix = renderMatrix(results);
    console.log(`\n${summary}\n\n${matrix}\n`);
    if (!quick && cells.length === listCells().length) {
        await writeParts('compare.md', 'compare', { summary, matrix });
    }
    judgeClickTally(results);
}
/** @throws {InvalidArgumentError} if no cell matches. */
function readOnly(pattern) {
    const isWanted = ({ approach, fault }) => new RegExp(pattern).test(`${approach} × ${fault}`);
    const cells = listCells().filter(isWanted);
    if (cells.length > 0)
        return cells;
    const names = [...approaches, ...faults].join(', ');
    throw new InvalidArgumentError(`Expected a pattern for some of these names: ${names}.`);
}
/** Figures such as "+3" or "−4 DLQ 2", or "✓" if each click was counted once. */
function describeOutcome({ doubled, lost, deadLettered }) {
    const figures = [
        lost > 0 && `−${lost}`,
        doubled > 0 && `+${doubled}`,
        deadLettered > 0 && `DLQ ${deadLettered}`,
    ].filter(Boolean);
    return figures.join(' ') || '✓';
}
/** A row for each approach, with the sum of each group of faults. */
function renderSummary(results) {
    const outcomeOf = (approach, group) => {
        const cells = results.filter((result) => result.approach === approach && group.includes(result.fault));
        const sum = (figure) => cells.reduce((total, cell) => total + cell[figure], 0);
        return describeOutcome({
            doubled: sum('doubled'),
            lost: sum('lost'),
            deadLettered: sum('deadLettered'),
        });
    };
    const columns = Object.entries(faultGroups).map(([name, group]) => [name, (row) => outcomeOf(row, group), 'words']);
    return renderTable([['approach', (name) => `\`${name}\``, 'words'], ...columns], findShownApproaches(results));
}
function findShownApproaches(results) {
    return approaches.filter((name) => results.some(({ approach }) => approach === name));
}
/** A row for each fault, with a column for each approach. */
function renderMatrix(results) {
    const shown = faults.filter((name) => results.some(({ fault }) => fault === name));
    const columns = findShownApproaches(results);
    const columnOf = (approach, index) => [
        `${index + 1}`,
        (name) => {
            const cell = results.find((one) => one.approach === approach && one.fault === name);
            return cell ? describeOutcome(cell) : '';
        },
        'words',
    ];
    const table = renderTable([['', (name) => name, 'words'], ...columns.map(columnOf)], shown);
    const legend = columns.map((name, index) => `${index + 1}. \`${name}\`: ${remarks[name]}`);
    return `${legend.join('\n')}\n\n${table}`;
}
/** Fails if click-tally is not exact in a cell, because that is a bug of this service. */
function judgeClickTally(results) {
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
