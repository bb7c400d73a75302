import { availableParallelism } from 'node:os';
import { styleText } from 'node:util';
import pLimit from 'p-limit';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { configurations, mutants } from './configurations.ts';
import { check, requireCompiler } from './spin.ts';
const description = `Check the protocol with SPIN: every order of its steps within the bounds, and every mutant, which must be
refuted for its own reason. Exits with 1 if a configuration fails, a search is incomplete, or a mutant isn't refuted.`;
await runProgram(createProgram('model', description, 'proofs')
    .option('--only <names>', 'only these configurations and mutants, separated by commas')
    .option('--quick', 'only those that the CI checks')
    .action(checkModel));
async function checkModel({ only, quick }) {
    const compiler = await requireCompiler();
    const names = only?.split(',');
    const isChosen = ({ name, isQuick }) => names ? names.includes(name) : isQuick || !quick;
    const limit = pLimit(availableParallelism());
    const checkAll = (chosen) => chosen.filter(isChosen).map((one) => ({ one, verdict: limit(() => check(compiler, one)) }));
    const held = checkAll(configurations);
    const refuted = checkAll(mutants);
    console.log('configuration        states     depth        MB     CPU s  verdict');
    for (const { one, verdict } of held) {
        const found = await verdict;
        report(one, found, found.kind === 'holds');
    }
    for (const { one, verdict } of refuted) {
        const found = await verdict;
        console.log(`\n${styleText('bold', one.name)}: ${one.text}`);
        for (const [index, sentence] of found.counterexample.entries()) {
            console.log(`${String(index + 1).padStart(4)}. ${sentence}`);
        }
        if (!found.counterexample.at(-1)?.includes(one.flaw))
            report(one, found, false);
    }
}
function report({ name, text, flaw }, found, isRight) {
    const { kind, states, depth, megabytes, seconds, counterexample } = found;
    const figures = [states.toLocaleString('en'), depth, megabytes.toFixed(0), seconds.toFixed(1)];
    const row = figures.map((figure) => String(figure).padStart(10)).join('');
    const verdict = styleText(isRight ? 'green' : 'red', kind);
    console.log(`${name.padEnd(17)}${row}  ${verdict}: ${text}`);
    if (isRight)
        return;
    process.exitCode = exitCodes.failure;
    if (flaw !== '-')
        console.log(`    expected a counterexample that ends with "${flaw}"`);
    else
        for (const sentence of counterexample)
            console.log(`    ${sentence}`);
}
