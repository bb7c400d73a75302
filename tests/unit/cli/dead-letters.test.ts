import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { toDeadLetter } from '../../../cli/dlq/dead-letters.ts';
import { isItsOwn } from '../../../cli/dlq/move.ts';

const sentMs = Date.parse('2026-05-26T10:00:00Z');

function readFirstSentMs(FirstSentTimestamp: MessageAttributeValue): number {
  const Attributes = { SentTimestamp: `${sentMs}`, ApproximateReceiveCount: '1' };
  return toDeadLetter({ Attributes, MessageAttributes: { FirstSentTimestamp } }).firstSentMs;
}

test.each(['1779700000000', '0', `${sentMs}`])(
  'the first arrival is read from its attribute: %s',
  (StringValue) => {
    expect(readFirstSentMs({ DataType: 'Number', StringValue })).toBe(Number(StringValue));
  },
);

test.each([
  ['not a number', { DataType: 'String', StringValue: 'abc' }],
  ['empty', { DataType: 'String', StringValue: '' }],
  ['blank', { DataType: 'String', StringValue: ' ' }],
  ['negative', { DataType: 'Number', StringValue: '-1' }],
  ['a fraction', { DataType: 'Number', StringValue: '1.5' }],
  ['in hexadecimal', { DataType: 'String', StringValue: '0x10' }],
  ['after the last arrival', { DataType: 'Number', StringValue: `${sentMs + 1}` }],
  ['too large for a date', { DataType: 'Number', StringValue: '8640000000000001' }],
  ['too large for a number', { DataType: 'String', StringValue: '9'.repeat(400) }],
  ['binary', { DataType: 'Binary', BinaryValue: Buffer.from('1779700000000') }],
])('a first arrival that is %s falls back to the last arrival', (_, attribute) => {
  expect(readFirstSentMs(attribute)).toBe(sentMs);
});

test.each([
  ...['InvalidMessageContents', 'InvalidParameterValue', 'UnsupportedOperation', 'KmsThrottled'],
  ...['RequestThrottled', 'SomethingNew'],
])('the error %s concerns one message', (name) => {
  expect(isItsOwn(Object.assign(new Error(), { name }))).toBe(true);
});

test.each(['AccessDenied', 'QueueDoesNotExist', 'KmsAccessDenied', 'ExpiredToken'])(
  'the error %s concerns all messages',
  (name) => {
    expect(isItsOwn(Object.assign(new Error(), { name }))).toBe(false);
  },
);
