import { randomUUID } from 'node:crypto';
import {
  CreateTopicCommand,
  PublishCommand,
  SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';
import { accountId, localClientConfig, region } from '../../cli/local-aws.ts';
import {
  type HttpRequest,
  type HttpResponse,
  type RunningServer,
  startHttpServer,
} from '../../cli/loopback/http-server.ts';
import {
  findEventRules,
  findResources,
  type PhysicalResources,
  resolveString,
  type Template,
} from '../engines/template.ts';

// The limit of PutEvents: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
const maxEntries = 10;

interface Entry {
  EventBusName?: string;
  Source?: string;
  DetailType?: string;
  Detail?: string;
  Resources?: string[];
  /** Epoch seconds. */
  Time?: number;
}

export interface EventBusServer extends RunningServer {
  /** Creates the template's buses, named by logical id, and its rules that target queues. */
  createBuses(template: Template, queues: PhysicalResources): Promise<PhysicalResources>;
}

/**
 * Starts a server for PutEvents, backed by SNS. A bus is a topic; a rule is a subscription with raw
 * delivery and the rule's event pattern as its filter policy. SNS accepts at most 256 KB, so a
 * larger event fails here, although EventBridge would accept it.
 */
export async function startEventBus(snsEndpoint: string): Promise<EventBusServer> {
  const sns = new SNSClient({ ...localClientConfig(snsEndpoint), maxAttempts: 1 });
  const topics = new Map<string, string>();
  const server = await startHttpServer((request) => answer(request, sns, topics));

  const createBuses = async (template: Template, queues: PhysicalResources) => {
    const resources: PhysicalResources = {};
    for (const Name of Object.keys(findResources(template, 'AWS::Events::EventBus'))) {
      const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name }));
      topics.set(Name, TopicArn);
      const Arn = `arn:aws:events:${region}:${accountId}:event-bus/${Name}`;
      resources[Name] = { ref: Name, attributes: { Arn, Name } };
    }
    await subscribeTargets(sns, topics, template, { ...queues, ...resources });
    return resources;
  };
  const stop = async () => {
    sns.destroy();
    await server.stop();
  };
  return { url: server.url, createBuses, stop };
}

async function subscribeTargets(
  sns: SNSClient,
  topics: Map<string, string>,
  template: Template,
  resources: PhysicalResources,
): Promise<void> {
  for (const { EventBusName, EventPattern, Targets } of findEventRules(template)) {
    const TopicArn = topics.get(resolveString(EventBusName, resources));
    const Attributes = {
      RawMessageDelivery: 'true',
      FilterPolicyScope: 'MessageBody',
      FilterPolicy: JSON.stringify(EventPattern),
    };
    for (const { Arn } of Targets) {
      const Endpoint = resolveString(Arn, resources);
      await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint, Attributes }));
    }
  }
}

async function answer(
  { headers, body }: HttpRequest,
  sns: SNSClient,
  topics: Map<string, string>,
): Promise<HttpResponse> {
  const refuse = (__type: string, message: string) => ({ status: 400, body: { __type, message } });
  if (headers['x-amz-target'] !== 'AWSEvents.PutEvents') {
    return refuse('UnknownOperationException', 'The local event bus supports only PutEvents.');
  }
  const { Entries: entries = [] }: { Entries?: Entry[] } = JSON.parse(body);
  if (entries.length < 1 || entries.length > maxEntries) {
    const message = `Expected 1 to ${maxEntries} entries; got ${entries.length}.`;
    return refuse('ValidationException', message);
  }
  const Entries = await Promise.all(entries.map((entry) => putEvent(entry, sns, topics)));
  const FailedEntryCount = Entries.filter((result) => 'ErrorCode' in result).length;
  return { status: 200, body: { FailedEntryCount, Entries } };
}

async function putEvent(
  { EventBusName = 'default', Detail = '', ...entry }: Entry,
  sns: SNSClient,
  topics: Map<string, string>,
) {
  const refuse = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });
  if (!entry.Source || !entry.DetailType) {
    return refuse('InvalidArgument', 'Source and DetailType are required arguments.');
  }
  const detail = parseObject(Detail);
  if (!detail) return refuse('MalformedDetail', 'Detail must be a JSON object.');
  const name = EventBusName.split('/').at(-1) ?? '';
  const TopicArn = topics.get(name);
  if (!TopicArn) {
    return refuse('ResourceNotFoundException', `Event bus ${name} does not exist.`);
  }
  const event = toEvent(entry, detail);
  try {
    await sns.send(new PublishCommand({ TopicArn, Message: JSON.stringify(event) }));
    return { EventId: event.id };
  } catch (error) {
    return refuse('InternalFailure', (error as Error).message);
  }
}

/** Builds the event that a rule's target receives. */
function toEvent({ Source, DetailType, Resources = [], Time }: Entry, detail: object) {
  const time = Time === undefined ? new Date() : new Date(Time * 1000);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: accountId,
    time: time.toISOString().replace(/\.\d+/, ''),
    region,
    resources: Resources,
    detail,
  };
}

function parseObject(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Object(value) === value && !Array.isArray(value) ? Object(value) : undefined;
  } catch {
    return undefined;
  }
}
