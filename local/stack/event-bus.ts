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

// Limits of the PutEvents API: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
const maxEntries = 10;
const maxTotalBytes = 1024 * 1024;

interface Entry {
  EventBusName?: string;
  Source?: string;
  DetailType?: string;
  Detail?: string;
  Resources?: string[];
  /** Epoch seconds. */
  Time?: number;
}
type EntryResult = { EventId: string } | { ErrorCode: string; ErrorMessage: string };

/** An error for one entry or a whole request, with AWS's own code. */
const makeRejection = (code: string, message: string) =>
  Object.assign(new Error(message), { code });

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
  try {
    if (headers['x-amz-target'] !== 'AWSEvents.PutEvents') {
      const message = 'The local event bus supports only PutEvents.';
      throw makeRejection('UnknownOperationException', message);
    }
    const entries = parseEntries(body);
    const results = await Promise.all(entries.map((entry) => putEvent(entry, sns, topics)));
    const failed = results.filter((result) => 'ErrorCode' in result);
    return { status: 200, body: { FailedEntryCount: failed.length, Entries: results } };
  } catch (error) {
    const { ErrorCode: __type, ErrorMessage: message } = describeError(error as Error);
    return { status: 400, body: { __type, message } };
  }
}

function parseEntries(body: string): Entry[] {
  const { Entries: entries } = parseObject(body, 'SerializationException', 'The request');
  if (!Array.isArray(entries) || entries.length < 1 || entries.length > maxEntries) {
    throw makeRejection('ValidationException', `Expected 1 to ${maxEntries} entries.`);
  }
  const bytes = entries.reduce((total, entry) => total + entryBytes(entry), 0);
  if (bytes >= maxTotalBytes) {
    const message = `Expected less than ${maxTotalBytes} bytes in all entries; got ${bytes}.`;
    throw makeRejection('ValidationException', message);
  }
  return entries;
}

/** The size of an entry, by EventBridge's rules. */
function entryBytes({ Source, DetailType, Detail, Resources = [], Time }: Entry): number {
  const strings = [Source, DetailType, Detail, ...Resources];
  const bytes = strings.reduce((total, string) => total + Buffer.byteLength(string ?? ''), 0);
  return Time === undefined ? bytes : bytes + 14;
}

async function putEvent(
  entry: Entry,
  sns: SNSClient,
  topics: Map<string, string>,
): Promise<EntryResult> {
  try {
    const event = toEvent(entry);
    const busName = entry.EventBusName?.split('/').at(-1) ?? 'default';
    const TopicArn = topics.get(busName);
    if (!TopicArn) {
      throw makeRejection('ResourceNotFoundException', `Event bus ${busName} does not exist.`);
    }
    await sns.send(new PublishCommand({ TopicArn, Message: JSON.stringify(event) }));
    return { EventId: event.id };
  } catch (error) {
    return describeError(error as Error);
  }
}

/** Builds the event that a rule's target receives. */
function toEvent({ Source, DetailType, Detail, Resources = [], Time }: Entry) {
  for (const [name, value] of Object.entries({ Source, DetailType, Detail })) {
    if (!value) throw makeRejection('InvalidArgument', `${name} is a required argument.`);
  }
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
    detail: parseObject(Detail ?? '', 'MalformedDetail', 'Detail'),
  };
}

function parseObject(json: string, code: string, name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Rejected below, like JSON that isn't an object.
  }
  throw makeRejection(code, `${name} must be a JSON object.`);
}

function describeError({ message, ...error }: Error & { code?: string }) {
  return { ErrorCode: error.code ?? 'InternalFailure', ErrorMessage: message };
}
