import { type Command, Option } from 'commander';
import { parseAmount } from '../terminal/arguments.ts';
import { abortOnInterrupt, createProgram, runProgram } from '../terminal/program.ts';
import { type Connection, withConnection } from './connection.ts';
import { findableReasons } from './dlq/diagnose.ts';
import { listDeadLetters } from './dlq/list.ts';
import { purgeDeadLetters } from './dlq/purge.ts';
import { redriveDeadLetters } from './dlq/redrive.ts';
import { parseDuration } from './duration.ts';
import { addStackOptions, type StackOptions } from './stack.ts';

const program = createProgram('dlq', 'Explain, redrive or delete the dead letters in ClickDLQ.');

addCommand('list', 'list dead letters with the reason; they stay in the queue', listDeadLetters)
  .addOption(olderThan())
  .option('--json', 'print a JSON array that includes the messages');

addCommand(
  'redrive',
  'move dead letters back to ClickQueue, except those that would fail again, unless --reason names them',
  redriveDeadLetters,
)
  .addOption(olderThan())
  .option('--dry-run', 'only say what would happen')
  .option('--include-failing', 'also move dead letters that would fail again')
  .option('--rate <n>', 'move at most <n> a second', parseAmount);

addCommand('purge', 'delete dead letters permanently', purgeDeadLetters)
  .addOption(olderThan(' (required)').makeOptionMandatory())
  .option('--yes', 'delete without asking');

await runProgram(program);

function addCommand<Options>(
  name: string,
  description: string,
  run: (connection: Connection, options: Options, signal: AbortSignal) => Promise<void>,
): Command {
  const command = program.command(name).description(description);
  return addStackOptions(command)
    .addOption(
      new Option('--reason <reason...>', 'only dead letters with one of these reasons').choices(
        findableReasons,
      ),
    )
    .option('--code <code>', 'only dead letters of this link')
    .action((options: Options & StackOptions) =>
      withConnection(options, (connection) => run(connection, options, abortOnInterrupt())),
    );
}

function olderThan(remark = ''): Option {
  const option = new Option(
    '--older-than <age>',
    `only dead letters that first arrived longer ago: 12h, 7d${remark}`,
  );
  return option.argParser(parseDuration);
}
