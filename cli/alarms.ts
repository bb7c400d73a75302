import { withAlarmTopic } from './alarms/alarm-topic.ts';
import { type TestOptions, testAlarm } from './alarms/test-alarm.ts';
import { addStageOptions, findStack, type StackOptions } from './stack.ts';
import { CommandError } from './terminal/command-error.ts';
import { createProgram, runProgram } from './terminal/program.ts';

const program = createProgram('alarms', 'Check that the alarms of a stage reach somebody.');

addStageOptions(
  program
    .command('test')
    .description('set one alarm to ALARM for a moment, so that its message arrives'),
)
  .option('--alarm <name>', 'the alarm, such as counter-drift (default: any that is quiet)')
  .action(runTest);

await runProgram(program);

async function runTest(options: Partial<TestOptions> & StackOptions): Promise<void> {
  const { stage, alarm } = options;
  if (stage === undefined) {
    throw new CommandError('Expected a --stage. The local stack has no alarms.');
  }
  const stack = await findStack(options);
  await withAlarmTopic(stack, (topic) => testAlarm(topic, { stage, alarm }));
}
