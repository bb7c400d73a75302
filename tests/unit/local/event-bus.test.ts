import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localClientConfig } from '../../../cli/local-aws.ts';
import { receiveMessages } from '../../../cli/queue.ts';
import { startQueueServer } from '../../../local/engines/queue-server.ts';
import { startEventBus } from '../../../local/stack/event-bus.ts';
import { createQueues } from '../../../local/stack/queues.ts';

const cleanup = new AsyncDisposableStack();
const template = {
  Resources: {
    ClickBus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'any' } },
    Clicked: { Type: 'AWS::SQS::Queue', Properties: {} },
    ClickedRule: {
      Type: 'AWS::Events::Rule',
      Properties: {
        EventBusName: { Ref: 'ClickBus' },
        EventPattern: { source: ['links'], 'detail-type': ['clicked'] },
        Targets: [{ Id: 'Clicked', Arn: { 'Fn::GetAtt': ['Clicked', 'Arn'] } }],
      },
    },
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
let clicked: string;

beforeAll(async () => {
  const { url, stop } = await startQueueServer();
  cleanup.defer(stop);
  const server = await startEventBus(url);
  cleanup.defer(server.stop);
  sqs = new SQSClient(localClientConfig(url));
  bus = new EventBridgeClient({ ...localClientConfig(server.url), maxAttempts: 1 });
  const queues = await createQueues(sqs, url, template);
  clicked = queues.Clicked?.ref ?? '';
  await server.createBuses(template, queues);
});

afterAll(() => cleanup.disposeAsync());

const receive = () => receiveMessages({ sqs, url: clicked });

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
  expect(await receive()).toHaveLength(1);
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
  expect(await receive()).toEqual([]);
});
