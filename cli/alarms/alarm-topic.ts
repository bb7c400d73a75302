import {
  CloudWatchClient,
  type MetricAlarm,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import type { Stack } from '../stack.ts';

/** The topic that a stage's alarms notify, with clients for both. */
export interface AlarmTopic {
  stackName: string;
  arn: string;
  cloudWatch: CloudWatchClient;
  sns: SNSClient;
}

/** A subscriber, named by protocol and address: `email anna@example.com`. */
export interface Subscriber {
  name: string;
  /** SNS doesn't send messages until the owner of the address has confirmed the subscription. */
  isConfirmed: boolean;
}

/** Runs `work` with the topic of a stage's alarms, then closes the connections. */
export async function withAlarmTopic(
  stack: Stack,
  work: (topic: AlarmTopic) => Promise<void>,
): Promise<void> {
  const arn = stack.output('AlarmTopicArn');
  const cloudWatch = new CloudWatchClient(stack.clientConfig.others);
  const sns = new SNSClient(stack.clientConfig.others);
  try {
    await work({ stackName: stack.name, arn, cloudWatch, sns });
  } finally {
    cloudWatch.destroy();
    sns.destroy();
  }
}

export async function listAlarms({ cloudWatch, arn }: AlarmTopic): Promise<MetricAlarm[]> {
  const pages = paginateDescribeAlarms({ client: cloudWatch }, { ActionPrefix: arn });
  return (await Array.fromAsync(pages)).flatMap(({ MetricAlarms = [] }) => MetricAlarms);
}

/** Lists the topic's subscribers, including unconfirmed ones. */
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
