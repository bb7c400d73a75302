import { type Command, Option } from 'commander';
import { type Connection, connect } from './connection.ts';
import { findableReasons } from './dlq/diagnose.ts';
import { drainQueue, drainRule, drainStandby } from './dlq/drain.ts';
import { listDeadLetters } from './dlq/list.ts';
import { purgeDeadLetters } from './dlq/purge.ts';
import { redriveDeadLetters } from './dlq/redrive.ts';
import { parseDuration } from './duration.ts';
import { addStackOptions, type StackOptions } from './stack.ts';
import { parseAmount } from './terminal/arguments.ts';
import { abortOnInterrupt, createProgram, runProgram } from './terminal/program.ts';

const code = new Option('--code <code>', 'only dead letters of this link');
const rate = new Option('--rate <n>', 'move at most <n> messages a second').argParser(parseAmount);

const program = createProgram(
  'dlq',
  'Explain, redrive or delete the dead letters in ClickDLQ, and empty ClickRuleDLQ and StandbyDLQ.',
);

addCommand('list', 'list dead letters with their reasons, without removing them', listDeadLetters)
  .addOption(code)
  .addOption(reasons())
  .addOption(olderThan())
  .option('--json', 'print a JSON array that includes the messages');

addCommand(
  'redrive',
  'move dead letters back to ClickQueue; skips those that would fail again, unless --reason names them',
  redriveDeadLetters,
)
  .addOption(code)
  .addOption(reasons())
  .addOption(olderThan())
  .option('--dry-run', 'only show what would happen')
  .option('--include-failing', 'also move dead letters that would fail again')
  .addOption(rate);

addCommand(
  'purge',
  'delete dead letters permanently, by reason; deleting a countable one loses its click',
  purgeDeadLetters,
)
  .addOption(code)
  .addOption(reasons(' (required)').makeOptionMandatory())
  .addOption(olderThan(' (required)').makeOptionMandatory())
  .option('--yes', 'delete without asking');

addCommand(
  'drain-rule',
  "move events that the bus couldn't deliver from ClickRuleDLQ to ClickQueue",
  drainRule,
)
  .option('--dry-run', 'only count them')
  .addOption(rate);

addCommand(
  'drain-standby',
  "move clicks that the standby couldn't forward from StandbyDLQ to ClickQueue",
  drainStandby,
)
  .option('--dry-run', 'only count them')
  .addOption(rate);

addCommand(
  'drain-queue',
  'move the clicks of a queue that a deployment removed from the stack to ClickQueue',
  drainQueue,
)
  .requiredOption('--number <n>', "the queue's number, such as 3 (required)", parseAmount)
  .option('--dry-run', 'only count them')
  .addOption(rate);

await runProgram(program);

type Subcommand<Options> = (
  connection: Connection,
  options: Options,
  signal: AbortSignal,
) => Promise<void>;

function addCommand<Options>(name: string, description: string, run: Subcommand<Options>): Command {
  const command = program.command(name).description(description);
  return addStackOptions(command).action(async (options: Options & StackOptions) =>
    run(await connect(options), options, abortOnInterrupt()),
  );
}

function reasons(remark = ''): Option {
  const description = `only dead letters with one of these reasons${remark}`;
  return new Option('--reason <reason...>', description).choices(findableReasons);
}

function olderThan(remark = ''): Option {
  const option = new Option(
    '--older-than <age>',
    `only dead letters that first arrived longer ago than this, such as 12h or 7d${remark}`,
  );
  return option.argParser(parseDuration);
}
