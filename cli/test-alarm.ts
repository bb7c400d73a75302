import { CloudWatch, type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import type { Stack } from './stack.ts';
import { CommandError } from './terminal/command-error.ts';
import { printLine } from './terminal/print.ts';
import { exitCodes } from './terminal/program.ts';

const notConfirmed =
  'Not confirmed yet (see the e-mail "AWS Notification - Subscription Confirmation"):';

/**
 * Sets an alarm to ALARM, so that all confirmed subscribers get its message, and lists them. If
 * there aren't any, it leaves the alarm as it is and exits with 1.
 *
 * @throws {CommandError} if the alarm doesn't exist, or if setting it wouldn't send a message.
 */
export async function testAlarm(stack: Stack, stage: string, name?: string): Promise<void> {
  const topicArn = stack.output('AlarmTopicArn');
  const cloudWatch = new CloudWatch(stack.clientConfig.others);
  const alarms = await listAlarms(cloudWatch, topicArn);
  const { AlarmName } = chooseAlarm(alarms, stack.name, stage, name);
  const sns = new SNSClient(stack.clientConfig.others);
  const { confirmed, pending } = await listSubscribers(sns, topicArn);
  if (confirmed.length === 0) return reportNobody(stack.name, pending);
  const StateReason = 'A test of the notification: npm run stage -- test-alarm.';
  await cloudWatch.setAlarmState({ AlarmName, StateValue: 'ALARM', StateReason });
  printLine(`Set ${AlarmName} of ${stack.name} to ALARM.`);
  printSubscribers(
    `A message with the subject 'ALARM: "${AlarmName}" in ...' is on its way to:`,
    confirmed,
  );
  printSubscribers(notConfirmed, pending);
  printLine('CloudWatch restores the actual state at its next evaluation, within minutes.');
}

function chooseAlarm(
  alarms: MetricAlarm[],
  stackName: string,
  stage: string,
  name?: string,
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

function reportNobody(stackName: string, pending: string[]): void {
  printLine(`Nobody receives the alarms of ${stackName}, so no alarm was set.`);
  printSubscribers(notConfirmed, pending);
  if (pending.length === 0) {
    printLine('Deploy the stage with ALARM_EMAIL: docs/settings.md#dashboard-and-alarms');
  }
  process.exitCode = exitCodes.failure;
}

function printSubscribers(title: string, names: string[]): void {
  if (names.length > 0) printLine(title);
  for (const name of names) printLine(`  ${name}`);
}

async function listAlarms(client: CloudWatch, topicArn: string): Promise<MetricAlarm[]> {
  const pages = paginateDescribeAlarms({ client }, { ActionPrefix: topicArn });
  return (await Array.fromAsync(pages)).flatMap(({ MetricAlarms = [] }) => MetricAlarms);
}

/**
 * Lists the topic's subscribers by protocol and address, such as `email anna@example.com`. SNS doesn't
 * send messages until the owner of the address has confirmed the subscription.
 */
async function listSubscribers(client: SNSClient, topicArn: string) {
  const pages = paginateListSubscriptionsByTopic({ client }, { TopicArn: topicArn });
  const confirmed: string[] = [];
  const pending: string[] = [];
  for await (const { Subscriptions = [] } of pages) {
    for (const { Protocol, Endpoint, SubscriptionArn } of Subscriptions) {
      const list = SubscriptionArn === 'PendingConfirmation' ? pending : confirmed;
      if (SubscriptionArn !== 'Deleted') list.push(`${Protocol} ${Endpoint}`);
    }
  }
  return { confirmed, pending };
}
