import { renderTable } from '../tools/markdown-table.ts';
import { assumptions } from './assumptions.ts';
import { dollarsOf } from './costs.ts';
import { readStage } from './stage.ts';
import { countUnits, countUnitsAtRest, toMonth } from './usage.ts';
/** A month's bill in US dollars, with other settings of which the usage doesn't depend. */
export function dollarsPerMonth(result, changes = {}, terms = {}) {
    const stage = readStage({ ...result.tuning, ...changes });
    return dollarsOf(countUnits(toMonth(result.usage, countClicks(result)), stage), terms);
}
const countClicks = ({ traffic }) => traffic.clicksPerSecond * assumptions.secondsPerMonth;
const clicksColumn = ['clicks a month', (row) => formatCount(countClicks(row))];
const settingsColumn = ['settings', (row) => describeTuning(row.tuning), 'words'];
const unitsColumn = ['write units a click', formatUnits];
const lagColumn = ['lag, p99', formatLag];
/** What limits a stage. */
export function renderLimits(results) {
    return renderTable([
        ['traffic', ({ traffic }) => traffic.name, 'words'],
        settingsColumn,
        ['clicks a second', (row) => formatCount(row.offeredPerSecond)],
        ['sustained', (row) => (row.holds ? 'all' : formatCount(row.countedPerSecond))],
        lagColumn,
        ['dead letters', (row) => formatCount(row.deadLetters)],
        unitsColumn,
        ['saturates first', (row) => row.saturatesFirst, 'words'],
    ], results);
}
/** What a site pays each month. The same sites with two pollers are in the same order. */
export function renderMonths(results, withTwoPollers) {
    const twins = new Map(results.map((result, index) => [result, withTwoPollers[index] ?? result]));
    const dollarsOfTwin = (row) => dollarsPerMonth(twins.get(row) ?? row);
    return renderTable([
        clicksColumn,
        settingsColumn,
        ['$ a month', (row) => formatDollars(dollarsPerMonth(row))],
        ['$ with two pollers', (row) => formatDollars(dollarsOfTwin(row))],
        [
            '$ after free units',
            (row) => formatDollars(dollarsPerMonth(row, {}, { hasFreeUnits: true })),
        ],
        unitsColumn,
        lagColumn,
    ], results);
}
/** What a site pays with other ways to send clicks and to pay the table. */
export function renderDiscounts(results) {
    const both = { clicksVia: 'queue', billing: 'provisioned' };
    const dollarsWith = (tuning, terms) => (row) => formatDollars(dollarsPerMonth(row, tuning, terms));
    return renderTable([
        clicksColumn,
        settingsColumn,
        ['$ a month', dollarsWith({})],
        // The queue's requests stay the same, because the bus's are priced, too.
        ['`clicksVia: queue`', dollarsWith({ clicksVia: 'queue' })],
        ['`billing: provisioned`', dollarsWith({ billing: 'provisioned' })],
        ['both', dollarsWith(both)],
        ['both, reserved for a year', dollarsWith(both, { reservedYears: 1 })],
        ['for three years', dollarsWith(both, { reservedYears: 3 })],
    ], results);
}
/** The profiles, each with prod's own price at rest. */
export function renderProfiles(results) {
    return renderTable([
        clicksColumn,
        settingsColumn,
        ['$ a month', (row) => formatDollars(dollarsPerMonth(row))],
        ['at rest', ({ tuning }) => formatDollars(dollarsOf(countUnitsAtRest(readStage(tuning))))],
        unitsColumn,
        lagColumn,
    ], results);
}
export function formatDollars(dollars) {
    const digits = dollars < 100 ? 2 : 0;
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    return dollars.toLocaleString('en-US', options);
}
export function formatUnits({ usage }) {
    return (usage.writeUnits / usage.clicks).toFixed(2);
}
export function describeTuning(tuning = {}) {
    const changes = Object.entries(tuning).map(([name, value]) => `\`${name}\` ${value}`);
    return changes.join(', ') || "prod's own";
}
/** A stage that falls behind has a growing lag, so the measured one is a lower bound. */
export function formatLag({ holds, lagMs }) {
    return `${holds ? '' : '> '}${formatCount(lagMs.p99 / 1000)} s`;
}
/** A number with at most one decimal, or none from 10 on. */
export function formatCount(value) {
    return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
}
