import { randomUUID } from 'node:crypto';
import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { toAsciiJson } from '../../lib/aws/send-message.ts';
import {
  type HttpRequest,
  type HttpResponse,
  startHttpServer,
} from '../../loopback/http-server.ts';
import { accountId, region } from '../../loopback/local-aws.ts';
import { type EventPattern, matches } from '../engines/event-pattern.ts';

// The limit of PutEvents: https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
const maxEntries = 10;

/** JSON has epoch seconds. */
type Entry = Omit<PutEventsRequestEntry, 'Time'> & { Time?: number };

/** A rule of a bus, without intrinsic functions. */
export interface Rule {
  EventBusName: string;
  EventPattern: EventPattern;
  Targets: { Arn: string }[];
}

/** Sends an event, as JSON, to a target of a rule. */
type Deliver = (targetArn: string, event: string) => Promise<void>;
type Delivered = Rule & { deliver: Deliver };

export type EventBusServer = Awaited<ReturnType<typeof startEventBus>>;

/** Starts a server for PutEvents. An event goes to the targets of all rules whose pattern it matches. */
export async function startEventBus() {
  const rules: Delivered[] = [];
  const server = await startHttpServer((request) => answer(request, rules));
  /** Creates rules, and the buses that they name. */
  const createRules = (created: Rule[], deliver: Deliver) => {
    rules.push(...created.map((rule) => ({ ...rule, deliver })));
  };
  return { ...server, createRules };
}

async function answer(
  { headers, body }: HttpRequest,
  rules: readonly Delivered[],
): Promise<HttpResponse> {
  const reject = (__type: string, message: string) => ({ status: 400, body: { __type, message } });
  if (headers['x-amz-target'] !== 'AWSEvents.PutEvents') {
    return reject('UnknownOperationException', 'The local event bus supports only PutEvents.');
  }
  const { Entries: entries = [] }: { Entries?: Entry[] } = JSON.parse(body);
  if (entries.length < 1 || entries.length > maxEntries) {
    const message = `Expected 1 to ${maxEntries} entries; got ${entries.length}.`;
    return reject('ValidationException', message);
  }
  const Entries = await Promise.all(entries.map((entry) => putEvent(entry, rules)));
  const FailedEntryCount = Entries.filter((result) => 'ErrorCode' in result).length;
  return { status: 200, body: { FailedEntryCount, Entries } };
}

async function putEvent(
  { EventBusName = 'default', Detail = '', ...entry }: Entry,
  rules: readonly Delivered[],
) {
  const reject = (ErrorCode: string, ErrorMessage: string) => ({ ErrorCode, ErrorMessage });
  if (!entry.Source || !entry.DetailType) {
    return reject('InvalidArgument', 'Source and DetailType are required arguments.');
  }
  const detail = parseObject(Detail);
  if (!detail) return reject('MalformedDetail', 'Detail must be a JSON object.');
  const name = EventBusName.split('/').at(-1) ?? '';
  const ofBus = rules.filter((rule) => rule.EventBusName === name);
  if (ofBus.length === 0) {
    return reject('ResourceNotFoundException', `Event bus ${name} does not exist.`);
  }
  const event = toEvent(entry, detail);
  try {
    for (const { EventPattern, Targets, deliver } of ofBus) {
      if (!matches(EventPattern, event)) continue;
      for (const { Arn } of Targets) await deliver(Arn, toAsciiJson(event));
    }
    return { EventId: event.id };
  } catch (error) {
    return reject('InternalFailure', (error as Error).message);
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
