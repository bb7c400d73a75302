import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { toDeadLetter } from '../../../cli/dlq/dead-letters.ts';

const sentMs = Date.parse('2026-05-26T10:00:00Z');

function readFirstSentMs(FirstSentTimestamp: MessageAttributeValue): number {
  const Attributes = { SentTimestamp: `${sentMs}`, ApproximateReceiveCount: '1' };
  return toDeadLetter({ Attributes, MessageAttributes: { FirstSentTimestamp } }).firstSentMs;
}

test.each(['1779700000000', '0', `${sentMs}`])(
  'a message first arrived when it says: %s',
  (StringValue) => {
    expect(readFirstSentMs({ DataType: 'Number', StringValue })).toBe(Number(StringValue));
  },
);

test.each([
  ['no number', { DataType: 'String', StringValue: 'abc' }],
  ['empty', { DataType: 'String', StringValue: '' }],
  ['blank', { DataType: 'String', StringValue: ' ' }],
  ['negative', { DataType: 'Number', StringValue: '-1' }],
  ['a fraction', { DataType: 'Number', StringValue: '1.5' }],
  ['in another notation', { DataType: 'String', StringValue: '0x10' }],
  ['after the last arrival', { DataType: 'Number', StringValue: `${sentMs + 1}` }],
  ['beyond what a date can be', { DataType: 'Number', StringValue: '8640000000000001' }],
  ['beyond what a number can be', { DataType: 'String', StringValue: '9'.repeat(400) }],
  ['bytes', { DataType: 'Binary', BinaryValue: Buffer.from('1779700000000') }],
])('a first arrival that is %s counts as the last arrival', (_, attribute) => {
  expect(readFirstSentMs(attribute)).toBe(sentMs);
});
