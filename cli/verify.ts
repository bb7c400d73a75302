import { InvalidArgumentError } from 'commander';
import { connect } from './connection.ts';
import { addStackOptions, type StackOptions } from './stack.ts';
import { wholeNumber } from './terminal/arguments.ts';
import { abortOnInterrupt, createProgram, exitCodes, runProgram } from './terminal/program.ts';
import { createDriftPrinter } from './verify/print-drifts.ts';
import { type VerifyOptions, verifyCounts } from './verify/verify-counts.ts';

interface VerifyCommandOptions extends VerifyOptions, StackOptions {
  json?: boolean;
}

const description = `Compare every link's totals with its days, every day with its breakdowns, and each recent day with its markers.

Scans the whole table, and a second time if days differ. Exits with 1 if a count is wrong.`;

const program = addStackOptions(createProgram('verify', description))
  .option('--code <code>', 'only this link')
  .option('--since <day>', 'recount markers only from this day (yyyy-mm-dd)', parseDay)
  .option('--segments <n>', 'scan the table in <n> parallel segments', wholeNumber(1_000), 1)
  .option('--json', 'print a JSON object')
  .action(verify);

await runProgram(program);

async function verify(options: VerifyCommandOptions): Promise<void> {
  const signal = abortOnInterrupt();
  const connection = await connect(options);
  const report = createDriftPrinter(options.json ?? false);
  const verification = await verifyCounts(connection, options, report.addDrift, signal);
  report.end(connection.stackName, verification, signal.aborted);
  if (report.drifts() > 0 && !signal.aborted) process.exitCode = exitCodes.failure;
}

function parseDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('Expected a day such as 2026-05-26.');
}
