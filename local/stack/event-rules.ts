import type { SQSClient } from '@aws-sdk/client-sqs';
import { sendMessages } from '../../cli/queue.ts';
import { show } from '../../lib/validation.ts';
import {
  findByArn,
  findResources,
  type PhysicalResources,
  resolveIntrinsics,
  type Template,
} from '../engines/template.ts';
import type { EventBusServer, Rule } from './event-bus.ts';

interface TargetServices {
  sqs: SQSClient;
  /** Sends an event to a bus in another Region. */
  forward?: (busArn: string, event: string) => void;
  onError?: (error: Error) => void;
}

/**
 * Creates the template's rules. Their targets are queues, buses in another Region, and a log group for
 * the events that no other rule matches, each of which is reported.
 */
export function createRules(
  bus: EventBusServer,
  template: Template,
  resources: PhysicalResources,
  { sqs, forward, onError }: TargetServices,
): void {
  const rules = Object.values(findResources(template, 'AWS::Events::Rule'))
    .filter(({ EventPattern }) => EventPattern)
    .map((rule) => resolveIntrinsics(rule, resources) as Rule);
  bus.createRules(rules, async (targetArn, event) => {
    if (targetArn.startsWith('arn:aws:logs:')) return onError?.(unmatchedEventError(event));
    if (targetArn.startsWith('arn:aws:events:')) return forward?.(targetArn, event);
    await sendMessages({ sqs, url: findByArn(resources, targetArn).ref }, [event]);
  });
}

function unmatchedEventError(event: string): Error {
  const { source, 'detail-type': type } = JSON.parse(event);
  const got = `source ${show(source)} and detail-type ${show(type)}`;
  return new Error(
    `An event does not match any rule, so it is not counted: got ${got}. See docs/producers.md.`,
  );
}
