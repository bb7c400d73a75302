import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { toDeadLetter } from '../../../cli/dlq/dead-letters.ts';
import { isItsOwn } from '../../../cli/dlq/move.ts';

const sentMs = Date.parse('2026-05-26T10:00:00Z');
const tooLarge = ['8640000000000001', '9'.repeat(400)];
const text = (StringValue: string) => ({ DataType: 'Number', StringValue });

test.each<[MessageAttributeValue, number]>([
  ...['1779700000000', '0', `${sentMs}`].map((sent): [MessageAttributeValue, number] => [
    text(sent),
    Number(sent),
  ]),
  ...['abc', '', ' ', '-1', '1.5', '0x10', `${sentMs + 1}`, ...tooLarge].map(
    (sent): [MessageAttributeValue, number] => [text(sent), sentMs],
  ),
  [{ DataType: 'Binary', BinaryValue: Buffer.from('1779700000000') }, sentMs],
])(
  'the first arrival is read from its attribute %j, or is the last one if that is invalid',
  (FirstSentTimestamp, firstSentMs) => {
    const Attributes = { SentTimestamp: `${sentMs}`, ApproximateReceiveCount: '1' };

    const deadLetter = toDeadLetter({ Attributes, MessageAttributes: { FirstSentTimestamp } });

    expect(deadLetter.firstSentMs).toBe(firstSentMs);
  },
);

test('errors are of one message unless they concern the queue, its key or the credentials', () => {
  const own = [
    ...['InvalidMessageContents', 'InvalidParameterValue', 'UnsupportedOperation', 'KmsThrottled'],
    ...['RequestThrottled', 'SomethingNew'],
  ];
  const ofAll = ['AccessDenied', 'QueueDoesNotExist', 'KmsAccessDenied', 'ExpiredToken'];

  const found = [...own, ...ofAll].filter((name) => isItsOwn(Object.assign(new Error(), { name })));

  expect(found).toEqual(own);
});
