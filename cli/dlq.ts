import { type Command, InvalidArgumentError, Option } from 'commander';
import { abortOnInterrupt, createProgram, runProgram } from '../terminal/program.ts';
import { type Connection, withConnection } from './connection.ts';
import { findableReasons } from './dlq/diagnose.ts';
import { listDeadLetters } from './dlq/list.ts';
import { purgeDeadLetters } from './dlq/purge.ts';
import { redriveDeadLetters } from './dlq/redrive.ts';
import { parseDuration } from './duration.ts';
import { addStackOptions, type StackOptions } from './stack.ts';

const program = createProgram('dlq', 'Explain, send again or delete the clicks in ClickDLQ.');

addCommand('list', 'list dead letters with the reason; they stay where they are', listDeadLetters)
  .addOption(olderThan())
  .option('--json', 'a JSON array, with the messages themselves');

addCommand('redrive', 'move dead letters back to ClickQueue', redriveDeadLetters)
  .addOption(olderThan())
  .option('--dry-run', 'only say what would become of them')
  .option('--rate <n>', 'move at most so many a second', parseRate);

addCommand('purge', 'delete dead letters for good', purgeDeadLetters)
  .addOption(olderThan().makeOptionMandatory())
  .option('--yes', 'do not ask');

await runProgram(program);

function addCommand<Options>(
  name: string,
  description: string,
  run: (connection: Connection, options: Options, signal: AbortSignal) => Promise<void>,
): Command {
  const command = program.command(name).description(description);
  return addStackOptions(command)
    .addOption(
      new Option('--reason <reason...>', 'only those of these reasons').choices(findableReasons),
    )
    .option('--code <code>', 'only those of this link')
    .action((options: Options & StackOptions) =>
      withConnection(options, (connection) => run(connection, options, abortOnInterrupt())),
    );
}

function olderThan(): Option {
  const option = new Option(
    '--older-than <age>',
    'only those that first came so long ago: 12h, 7d',
  );
  return option.argParser(parseDuration);
}

function parseRate(text: string): number {
  const rate = Number(text);
  if (rate > 0 && Number.isFinite(rate)) return rate;
  throw new InvalidArgumentError('Expected a number above 0.');
}
