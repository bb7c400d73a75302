import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { receiveMessages } from '../../../cli/queue.ts';
import { startQueueServer } from '../../../local/engines/queue-server.ts';
import { startEventBus } from '../../../local/stack/event-bus.ts';
import { createQueues } from '../../../local/stack/queues.ts';

const cleanup = new AsyncDisposableStack();
const rule = (pattern: object, queue: string) => ({
  Type: 'AWS::Events::Rule',
  Properties: {
    EventBusName: { Ref: 'ClickBus' },
    EventPattern: pattern,
    Targets: [{ Id: queue, Arn: { 'Fn::GetAtt': [queue, 'Arn'] } }],
  },
});
const template = {
  Resources: {
    ClickBus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'any' } },
    Clicked: { Type: 'AWS::SQS::Queue', Properties: {} },
    Coded: { Type: 'AWS::SQS::Queue', Properties: {} },
    ClickedRule: rule({ source: ['links'], 'detail-type': ['clicked'] }, 'Clicked'),
    CodedRule: rule({ detail: { code: [{ prefix: 'x-' }] } }, 'Coded'),
  },
};
const entry = {
  EventBusName: 'ClickBus',
  Source: 'links',
  DetailType: 'clicked',
  Detail: '{"code":"abcd"}',
};

let sqs: SQSClient;
let bus: EventBridgeClient;
let queueUrls: Record<string, string>;

beforeAll(async () => {
  const { url, stop } = await startQueueServer();
  cleanup.defer(stop);
  const server = await startEventBus(url);
  cleanup.defer(server.stop);
  sqs = new SQSClient(localClientConfig(url));
  bus = new EventBridgeClient({ ...localClientConfig(server.url), maxAttempts: 1 });
  const queues = await createQueues(sqs, url, template);
  queueUrls = Object.fromEntries(Object.entries(queues).map(([id, { ref }]) => [id, ref]));
  await server.createBuses(template, queues);
});

afterAll(() => cleanup.disposeAsync());

/** Receives and hides the messages of a queue, and parses them. */
async function receive(queue: string): Promise<object[]> {
  const messages = await receiveMessages({ sqs, url: queueUrls[queue] ?? '' });
  return messages.map(({ Body = '' }) => JSON.parse(Body));
}

test('an event reaches the targets of the matching rules, in an EventBridge envelope', async () => {
  const Time = new Date('2026-05-26T10:00:00Z');
  const matching = { ...entry, Time, Resources: ['arn:a'], Detail: '{"code":"x-1"}' };
  const other = { ...entry, Source: 'others' };

  const result = await bus.send(new PutEventsCommand({ Entries: [matching, other, entry] }));

  expect(result.FailedEntryCount).toBe(0);
  const ids = result.Entries?.map(({ EventId }) => EventId) ?? [];
  expect(new Set(ids).size).toBe(3);
  const event = {
    version: '0',
    id: ids[0],
    'detail-type': 'clicked',
    source: 'links',
    account: '000000000000',
    time: '2026-05-26T10:00:00Z',
    region: 'us-east-1',
    resources: ['arn:a'],
    detail: { code: 'x-1' },
  };
  expect(await receive('Coded')).toEqual([event]);
  const now = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const plain = { ...event, id: ids[2], time: now, resources: [], detail: { code: 'abcd' } };
  expect(await receive('Clicked')).toEqual([event, plain]);
});

test('an invalid entry is rejected; the others are published', async () => {
  const rejected = [
    { ...entry, EventBusName: 'other' },
    { ...entry, EventBusName: undefined },
    { ...entry, Detail: '{' },
    { ...entry, Detail: '[]' },
    { ...entry, Source: undefined },
  ];

  const result = await bus.send(new PutEventsCommand({ Entries: [...rejected, entry] }));

  expect(result.FailedEntryCount).toBe(5);
  expect(result.Entries).toEqual([
    { ErrorCode: 'ResourceNotFoundException', ErrorMessage: 'Event bus other does not exist.' },
    { ErrorCode: 'ResourceNotFoundException', ErrorMessage: 'Event bus default does not exist.' },
    { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail must be a JSON object.' },
    { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail must be a JSON object.' },
    { ErrorCode: 'InvalidArgument', ErrorMessage: 'Source is a required argument.' },
    { EventId: expect.any(String) },
  ]);
  expect(await receive('Clicked')).toHaveLength(1);
});

test.each([
  ['no entries', [], 'Expected 1 to 10 entries.'],
  ['more than ten', Array.from({ length: 11 }, () => entry), 'Expected 1 to 10 entries.'],
  [
    'a megabyte in all',
    Array.from({ length: 4 }, () => ({ ...entry, Detail: JSON.stringify('x'.repeat(262_144)) })),
    'Expected less than 1048576 bytes in all entries; got 1048632.',
  ],
])('a request with %s is rejected as a whole', async (_, Entries, message) => {
  const sent = bus.send(new PutEventsCommand({ Entries }));

  await expect(sent).rejects.toMatchObject({ name: 'ValidationException', message });
  expect(await receive('Clicked')).toEqual([]);
});
