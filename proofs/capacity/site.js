import { buildFunctionCode } from '../simulation/function-code.ts';
import { compileFunctionCode } from '../simulation/sandbox.ts';
import { renderTable } from '../tools/markdown-table.ts';
import { dollarsByPart, dollarsOf } from './costs.ts';
import { limits } from './limits.ts';
import { findProfile } from './profiles.ts';
import { runCell } from './run-cell.ts';
import { readStage } from './stage.ts';
import { describeTuning, formatDollars, formatLag, formatUnits } from './tables.ts';
import { makeSite } from './traffic.ts';
import { countUnits, toMonth } from './usage.ts';
/** Runs a site with the settings of its profile and its own, and reports its bill, lag and limits. */
export async function estimateSite(clicksPerMonth, options) {
    const tuning = {
        ...findProfile(clicksPerMonth).tuning,
        ...(options.window && { batchWindowSeconds: options.window }),
        ...(options.provisioned && { billing: 'provisioned' }),
    };
    const traffic = makeSite(clicksPerMonth, tuning.batchWindowSeconds, options.links);
    const cell = { traffic, tuning, region: options.region };
    const code = compileFunctionCode(await buildFunctionCode());
    const result = await runCell(cell, code);
    const withTwoPollers = await runCell({ ...cell, pollers: 2 }, code);
    return describeSite(clicksPerMonth, result, withTwoPollers);
}
function describeSite(clicksPerMonth, result, withTwoPollers) {
    const { tuning, traffic, utilisation, holds, saturatesFirst } = result;
    const stage = readStage(tuning);
    const billOf = ({ usage }) => countUnits(toMonth(usage, clicksPerMonth), stage);
    const bill = billOf(result);
    const parts = Object.entries(dollarsByPart(bill)).filter(([, dollars]) => dollars > 0);
    const rows = [...parts, ['all', dollarsOf(bill)]];
    const afterFreeUnits = formatDollars(dollarsOf(bill, { hasFreeUnits: true }));
    const used = Object.entries(utilisation).map(([name, share]) => `${name}: ${toPercent(share)}`);
    return [
        `${traffic.name} on ${traffic.law.links.toLocaleString('en-US')} links; settings: ${describeTuning(tuning)}`,
        '',
        renderTable([
            ['part', ([part]) => part, 'words'],
            ['$ a month', ([, dollars]) => formatDollars(dollars)],
        ], rows),
        '',
        `$${formatDollars(dollarsOf(billOf(withTwoPollers)))} if the mapping has two pollers instead of ${limits.startPollers}; ` +
            `$${afterFreeUnits} after AWS's free units. Prices are those of us-east-1 in every Region.`,
        `Lag, p99: ${formatLag(result)}; ${formatUnits(result)} write units a click.`,
        holds
            ? `It keeps up. Used of each limit: ${used.join('; ')}.`
            : `It falls behind: ${saturatesFirst}.`,
        '',
    ].join('\n');
}
const toPercent = (share) => share.toLocaleString('en-US', { style: 'percent', maximumFractionDigits: share < 0.1 ? 1 : 0 });
