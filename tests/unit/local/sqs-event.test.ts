import { expect, test } from 'vitest';
import { findFailedIds } from '../../../local/engines/batch-response.ts';
import { toSqsEvent } from '../../../local/engines/sqs-event.ts';

test('a message becomes the record that Lambda passes to a function', () => {
  const message = {
    MessageId: 'message-1',
    ReceiptHandle: 'handle-1',
    Body: '{"id":"1"}',
    MD5OfBody: 'md5-1',
    MD5OfMessageAttributes: 'md5-2',
    Attributes: {
      ApproximateReceiveCount: '2',
      SentTimestamp: '1779789600000',
      SenderId: '000000000000',
      ApproximateFirstReceiveTimestamp: '1779789600001',
    },
    MessageAttributes: {
      trace: { DataType: 'String', StringValue: 'abc' },
      raw: { DataType: 'Binary', BinaryValue: new Uint8Array([1, 2]) },
    },
  };

  expect(toSqsEvent([message], 'arn:queue')).toEqual({
    Records: [
      {
        messageId: 'message-1',
        receiptHandle: 'handle-1',
        body: '{"id":"1"}',
        md5OfBody: 'md5-1',
        md5OfMessageAttributes: 'md5-2',
        attributes: message.Attributes,
        messageAttributes: {
          trace: {
            dataType: 'String',
            stringValue: 'abc',
            stringListValues: [],
            binaryListValues: [],
          },
          raw: {
            dataType: 'Binary',
            binaryValue: 'AQI=',
            stringListValues: [],
            binaryListValues: [],
          },
        },
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:queue',
        awsRegion: 'us-east-1',
      },
    ],
  });
});

test.each([
  ['no failures', '{"batchItemFailures":[]}', []],
  ['no list', '{"batchItemFailures":null}', []],
  ['an empty response', '{}', []],
  ['null', 'null', []],
  ['nothing', '', []],
  ['one failure', '{"batchItemFailures":[{"itemIdentifier":"b"}]}', ['b']],
  ['no JSON', 'oops', ['a', 'b']],
  ['an empty identifier', '{"batchItemFailures":[{"itemIdentifier":""}]}', ['a', 'b']],
  ['a null identifier', '{"batchItemFailures":[{"itemIdentifier":null}]}', ['a', 'b']],
  ['a wrong key', '{"batchItemFailures":[{"id":"a"}]}', ['a', 'b']],
  ['a null failure', '{"batchItemFailures":[null]}', ['a', 'b']],
  ['no list of failures', '{"batchItemFailures":"a"}', ['a', 'b']],
  ['a message of another batch', '{"batchItemFailures":[{"itemIdentifier":"c"}]}', ['a', 'b']],
])('the failed messages of a response with %s', (_, response, failed) => {
  expect([...findFailedIds(response, ['a', 'b'])]).toEqual(failed);
});
