import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import type { Stoppable } from '../../cli/loopback/stoppable.ts';
import { show } from '../../lib/validation.ts';
import {
  findEventRules,
  findResources,
  type PhysicalResources,
  resolveString,
  type Template,
} from '../engines/template.ts';
import { startConsumers } from './event-source-mapping.ts';

type Fields = Record<string, unknown>;

interface ReportOptions {
  template: Template;
  resources: PhysicalResources;
  sqs: SQSClient;
  onError(error: Error): void;
}

/** Finds the log groups that a rule targets, by logical id. A queue stands in for each of them. */
export function findTargetLogGroups(template: Template): string[] {
  const targets = readRules(template).flatMap((rule) => rule.targets);
  return Object.keys(findResources(template, 'AWS::Logs::LogGroup')).filter((id) =>
    targets.includes(id),
  );
}

/**
 * Reports each event that reaches a log group. Its rule catches the events that don't match any
 * other rule, so the report lists the other rules' patterns.
 */
export function reportUnmatchedEvents(options: ReportOptions): Stoppable {
  const { template, resources, sqs, onError } = options;
  const logGroups = findTargetLogGroups(template);
  const expected = readRules(template)
    .filter(({ targets }) => !targets.some((id) => logGroups.includes(id)))
    .map(({ pattern }) => listFields(pattern))
    .join(', or ');
  const handleMessage = async (message: Message) => {
    const { source, 'detail-type': type } = JSON.parse(message.Body ?? '{}');
    const got = listFields({ source, 'detail-type': type });
    onError(
      new Error(
        `An event does not match any rule, so it is not counted: expected ${expected}; got ${got}. See docs/producers.md.`,
      ),
    );
    return message;
  };
  const consumers = logGroups.map((id) => {
    return { queueUrl: resources[id]?.ref ?? '', sqs, handleMessage };
  });
  return startConsumers(consumers, onError);
}

function listFields(fields: Fields): string {
  const listed = Object.entries(fields).map(([name, value]) => `${name} ${show(value)}`);
  return listed.join(' and ');
}

function readRules(template: Template): { pattern: Fields; targets: string[] }[] {
  const ids = Object.keys(template.Resources);
  const byId = Object.fromEntries(ids.map((id) => [id, { ref: id, attributes: { Arn: id } }]));
  return findEventRules(template).map(({ EventPattern: pattern, Targets }) => {
    return { pattern, targets: Targets.map(({ Arn }) => resolveString(Arn, byId)) };
  });
}
