import { type MetricAlarm, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { CommandError } from '../terminal/command-error.ts';
import { printLine } from '../terminal/print.ts';
import { exitCodes } from '../terminal/program.ts';
import { type AlarmTopic, listAlarms, listSubscribers, type Subscriber } from './alarm-topic.ts';

const notConfirmed =
  'Not confirmed yet (see the e-mail "AWS Notification - Subscription Confirmation"):';

export interface TestOptions {
  stage: string;
  alarm?: string;
}

/**
 * Sets an alarm to ALARM, so that all confirmed subscribers get its message, and lists them. If
 * there aren't any, it leaves the alarm as it is and exits with 1.
 *
 * @throws {CommandError} if the alarm doesn't exist, or if setting it wouldn't send a message.
 */
export async function testAlarm(topic: AlarmTopic, options: TestOptions): Promise<void> {
  const chosen = chooseAlarm(await listAlarms(topic), options, topic.stackName);
  const subscribers = await listSubscribers(topic);
  const confirmed = subscribers.filter(({ isConfirmed }) => isConfirmed);
  const pending = subscribers.filter(({ isConfirmed }) => !isConfirmed);
  if (confirmed.length === 0) return reportNobody(topic.stackName, pending);
  await topic.cloudWatch.send(
    new SetAlarmStateCommand({
      AlarmName: chosen.AlarmName,
      StateValue: 'ALARM',
      StateReason: 'A test of the notification: npm run stage -- test-alarm.',
    }),
  );
  printLine(`Set ${chosen.AlarmName} of ${topic.stackName} to ALARM.`);
  printSubscribers(
    `A message with the subject 'ALARM: "${chosen.AlarmName}" in ...' is on its way to:`,
    confirmed,
  );
  if (pending.length > 0) printSubscribers(notConfirmed, pending);
  printLine('CloudWatch restores the actual state at its next evaluation, within minutes.');
}

function chooseAlarm(
  alarms: MetricAlarm[],
  { stage, alarm: name }: TestOptions,
  stackName: string,
): MetricAlarm {
  if (alarms.length === 0) {
    throw new CommandError(`No alarm of ${stackName} notifies its topic. Deploy the stage again.`);
  }
  const candidates = alarms.filter(
    ({ AlarmName }) =>
      // The stack's prefix, which messages include, is optional.
      name === undefined || AlarmName === name || AlarmName?.endsWith(`-${stage}-${name}`),
  );
  if (candidates.length === 0) {
    const names = alarms.map(({ AlarmName }) => AlarmName).join(', ');
    throw new CommandError(`Expected an alarm of ${stackName}; got ${name}. It has: ${names}.`);
  }
  // CloudWatch sends a message when the state changes, and only if the alarm's actions are enabled.
  const quiet = candidates.find(
    ({ StateValue, ActionsEnabled }) => StateValue !== 'ALARM' && ActionsEnabled !== false,
  );
  if (quiet) return quiet;
  throw new CommandError(
    `${name ?? 'Every alarm'} of ${stackName} is already in ALARM or has its actions disabled, ` +
      'so setting it would not send a message. Choose another with --alarm.',
  );
}

function reportNobody(stackName: string, pending: Subscriber[]): void {
  printLine(`Nobody receives the alarms of ${stackName}, so no alarm was set.`);
  if (pending.length > 0) printSubscribers(notConfirmed, pending);
  else printLine('Deploy the stage with ALARM_EMAIL: docs/settings.md#dashboard-and-alarms');
  process.exitCode = exitCodes.failure;
}

function printSubscribers(title: string, subscribers: Subscriber[]): void {
  printLine(title);
  for (const { name } of subscribers) printLine(`  ${name}`);
}
