import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import type { Stoppable } from '../../cli/loopback/stoppable.ts';
import { show } from '../../lib/validation.ts';
import {
  findEventRules,
  findResources,
  type PhysicalResources,
  type Template,
} from '../engines/template.ts';
import { startConsumers } from './event-source-mapping.ts';

/** Finds the log groups that are a rule's targets, by logical id. A queue stands in for each of them. */
export function findTargetLogGroups(template: Template): string[] {
  const targets = findEventRules(template).flatMap(({ Targets }) => Targets.map(({ Id }) => Id));
  const ids = Object.keys(findResources(template, 'AWS::Logs::LogGroup'));
  return ids.filter((id) => targets.includes(id));
}

/** Reports each event that reaches a log group. Its rule catches the events that no other rule does. */
export function reportUnmatchedEvents(
  template: Template,
  resources: PhysicalResources,
  sqs: SQSClient,
  onError: (error: Error) => void,
): Stoppable {
  const handleMessage = async (message: Message) => {
    const { source, 'detail-type': type } = JSON.parse(message.Body ?? '{}');
    const got = `source ${show(source)} and detail-type ${show(type)}`;
    onError(
      new Error(
        `An event does not match any rule, so it is not counted: got ${got}. See docs/producers.md.`,
      ),
    );
    return message;
  };
  const consumers = findTargetLogGroups(template).map((id) => {
    return { queueUrl: resources[id]?.ref ?? '', sqs, handleMessage };
  });
  return startConsumers(consumers, onError);
}
