import { availableParallelism } from 'node:os';
import { styleText } from 'node:util';
import pLimit from 'p-limit';
import { createProgram, exitCodes, runProgram } from '../../cli/terminal/program.ts';
import { type Configuration, configurations, variants } from './configurations.ts';
import { check, requireCompiler, type Verdict } from './spin.ts';

const description = `Check the protocol with SPIN: every order of its steps within the bounds, and every variant that is known
to be wrong. Exits with 1 if a configuration fails, a search is incomplete, or a variant is not refuted.`;

await runProgram(
  createProgram('model', description, 'proofs')
    .option('--only <names>', 'only these configurations and variants, separated by commas')
    .action(checkModel),
);

async function checkModel({ only }: { only?: string }): Promise<void> {
  const compiler = await requireCompiler();
  const names = only?.split(',');
  const isChosen = ({ name }: Configuration) => !names || names.includes(name);
  const limit = pLimit(availableParallelism());
  const checkAll = (chosen: Configuration[], isVariant: boolean) =>
    chosen
      .filter(isChosen)
      .map((one) => ({ one, verdict: limit(() => check(compiler, one, isVariant)) }));
  const [held, refuted] = [checkAll(configurations, false), checkAll(variants, true)];

  console.log('configuration        states     depth        MB     CPU s  verdict');
  for (const { one, verdict } of held) report(one, await verdict, 'holds');
  for (const { one, verdict } of refuted) {
    console.log(`\n${styleText('bold', one.name)}: ${one.text}`);
    const found = await verdict;
    for (const [index, sentence] of found.counterexample.entries()) {
      console.log(`${String(index + 1).padStart(4)}. ${sentence}`);
    }
    if (found.kind !== 'refuted') report(one, found, 'refuted');
  }
}

function report({ name, text }: Configuration, found: Verdict, expected: Verdict['kind']): void {
  const { kind, states, depth, megabytes, seconds, counterexample } = found;
  const figures = [states.toLocaleString('en'), depth, megabytes.toFixed(0), seconds.toFixed(1)];
  const row = figures.map((figure) => String(figure).padStart(10)).join('');
  const verdict = styleText(kind === expected ? 'green' : 'red', kind);
  console.log(`${name.padEnd(17)}${row}  ${verdict}: ${text}`);
  if (kind === expected) return;
  process.exitCode = exitCodes.failure;
  for (const sentence of counterexample) console.log(`    ${sentence}`);
}
