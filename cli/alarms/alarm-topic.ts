import {
  CloudWatchClient,
  type MetricAlarm,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import type { Stack } from '../stack.ts';

/** The topic that a stage's alarms notify, and clients to reach it and them. */
export interface AlarmTopic {
  /** The stack's name in messages. */
  stackName: string;
  arn: string;
  cloudWatch: CloudWatchClient;
  sns: SNSClient;
}

/** Somebody whom the topic notifies: `email anna@example.com`. */
export interface Subscriber {
  name: string;
  /** SNS sends nothing to an address before its owner has confirmed the subscription. */
  isConfirmed: boolean;
}

/** Runs `work` with the topic of a stage's alarms, then closes the connections. */
export async function withAlarmTopic(
  stack: Stack,
  work: (topic: AlarmTopic) => Promise<void>,
): Promise<void> {
  const arn = stack.output('AlarmTopicArn');
  const cloudWatch = new CloudWatchClient(stack.clientConfig.alarms);
  const sns = new SNSClient(stack.clientConfig.alarms);
  try {
    await work({ stackName: stack.name, arn, cloudWatch, sns });
  } finally {
    cloudWatch.destroy();
    sns.destroy();
  }
}

/** Lists the alarms that notify the topic, by name. */
export async function listAlarms({ cloudWatch, arn }: AlarmTopic): Promise<MetricAlarm[]> {
  const pages = paginateDescribeAlarms({ client: cloudWatch }, { ActionPrefix: arn });
  return (await Array.fromAsync(pages)).flatMap(({ MetricAlarms = [] }) => MetricAlarms);
}

/** Lists whom the topic notifies, or will once they have confirmed it. */
export async function listSubscribers({ sns, arn }: AlarmTopic): Promise<Subscriber[]> {
  const pages = paginateListSubscriptionsByTopic({ client: sns }, { TopicArn: arn });
  const subscriptions = (await Array.fromAsync(pages)).flatMap((page) => page.Subscriptions ?? []);
  return subscriptions
    .filter(({ SubscriptionArn }) => SubscriptionArn !== 'Deleted')
    .map(({ Protocol, Endpoint, SubscriptionArn }) => ({
      name: `${Protocol} ${Endpoint}`,
      isConfirmed: SubscriptionArn !== 'PendingConfirmation',
    }));
}
