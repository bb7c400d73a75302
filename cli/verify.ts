import { InvalidArgumentError } from 'commander';
import { connect } from './connection.ts';
import { addStackOptions, type StackOptions } from './stack.ts';
import { wholeNumber } from './terminal/arguments.ts';
import { count, formatJson, print, printLine } from './terminal/print.ts';
import { abortOnInterrupt, createProgram, exitCodes, runProgram } from './terminal/program.ts';
import type { Drift } from './verify/drifts.ts';
import { type Verification, type VerifyOptions, verifyCounts } from './verify/verify-counts.ts';

const description = `Compare every link's totals and stored sums with its days, every day with its breakdowns
and campaigns, and each recent day with its markers. Of visitors, only sketches are kept, so it checks that
they can be read and have at most a visitor for each click by a person, but not whether one is missing.

Scans the whole table, and a second time if days differ. Exits with 1 if a count is wrong.`;

const program = addStackOptions(createProgram('verify', description))
  .option('--code <code>', 'only this link')
  .option('--since <day>', 'recount markers only from this day (yyyy-mm-dd)', parseDay)
  .option('--segments <n>', 'scan the table in <n> parallel segments', wholeNumber(1_000), 1)
  .option('--json', 'print a JSON object')
  .action(verify);

await runProgram(program);

/** Prints each drift as it is found, and a summary at the end. */
async function verify({
  json = false,
  ...options
}: VerifyOptions & StackOptions & { json?: boolean }): Promise<void> {
  const signal = abortOnInterrupt();
  const connection = await connect(options);
  let drifts = 0;
  const onDrift = ({ drift, fields, text }: Drift) => {
    const entry = formatJson({ ...fields, drift });
    if (json) print(`${drifts === 0 ? '{"drifts":[' : ','}\n${entry}`);
    else printLine(`drift ${drift > 0 ? '+' : ''}${drift}  ${text}`);
    drifts += 1;
  };
  const verification = await verifyCounts(connection, options, onDrift, signal);
  const stack = connection.stackName;
  if (json) {
    const rest = formatJson({ stack, complete: !signal.aborted, ...verification });
    print(`${drifts === 0 ? '{"drifts":[' : '\n'}],${rest.slice(1)}\n`);
  } else printLine(summarize(stack, verification, drifts, signal.aborted));
  if (drifts > 0 && !signal.aborted) process.exitCode = exitCodes.failure;
}

function summarize(
  stack: string,
  { links, clicks, days, recounted, markers, visitedDays, since, unconfirmed }: Verification,
  drifts: number,
  isPartial: boolean,
): string {
  if (isPartial) return 'Stopped before the end; the rest of the table was not checked.';
  return [
    `Checked ${count(links, 'link')} (${count(clicks, 'click')}) of ${stack}.`,
    `Compared ${count(recounted, 'click')} on ${count(days, 'day')} since ${since} with ${count(markers, 'marker')}.`,
    clicks > recounted
      ? `Earlier days (${count(clicks - recounted, 'click')}) weren't compared.`
      : '',
    visitedDays > 0
      ? `Visitors of ${count(visitedDays, 'day')} can't be recounted, only compared with clicks by people.`
      : '',
    unconfirmed > 0
      ? `${count(unconfirmed, 'total')}, campaigns or visitors changed too fast to compare.`
      : '',
    drifts > 0 ? `${count(drifts, 'drift')}.` : 'No drift.',
  ]
    .filter(Boolean)
    .join(' ');
}

function parseDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('Expected a day such as 2026-05-26.');
}
