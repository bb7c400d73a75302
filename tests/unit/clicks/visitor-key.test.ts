import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AwsClient } from '../../../lib/aws/aws-client.ts';
import { VisitorKey } from '../../../lib/clicks/visitor-key.ts';
import { useOutput } from '../../helpers/output.ts';

const output = useOutput();
const key = Buffer.alloc(32, 7);
const consumedCapacity = { CapacityUnits: 1 };
const found = { Item: { key: { B: key.toString('base64') } }, ConsumedCapacity: consumedCapacity };
const missing = { ConsumedCapacity: consumedCapacity };
const taken = Object.assign(new Error('taken'), { name: 'ConditionalCheckFailedException' });

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** A key behind a DynamoDB that answers this, one after the other. */
function open(answers: (object | Error)[]) {
  const sent: { operation: string; input: Record<string, unknown> }[] = [];
  const send: AwsClient['send'] = async (operation, input) => {
    sent.push({ operation, input: input as Record<string, unknown> });
    const answer = answers.shift() ?? expect.fail(`no answer to ${operation}`);
    if (answer instanceof Error) throw answer;
    return answer as never;
  };
  return { visitorKey: new VisitorKey({ send }, 'clicks'), sent };
}

test('an environment reads the key once', async () => {
  const { visitorKey, sent } = open([found]);

  await visitorKey.load();

  expect(visitorKey.getKey()?.export()).toEqual(key);
  expect(visitorKey.getKey()?.export()).toEqual(key);
  expect(sent.map(({ operation }) => operation)).toEqual(['GetItem']);
});

test('the first environment creates 32 random bytes, and two of them agree on the first', async () => {
  const first = open([missing, {}, found]);
  const second = open([missing, taken, found]);

  await Promise.all([first.visitorKey.load(), second.visitorKey.load()]);

  expect(first.visitorKey.getKey()?.export()).toEqual(key);
  expect(second.visitorKey.getKey()?.export()).toEqual(key);
  const put = first.sent[1] ?? expect.fail();
  expect(put).toMatchObject({
    operation: 'PutItem',
    input: { ConditionExpression: 'attribute_not_exists(PK)' },
  });
  const { key: sent } = put.input.Item as typeof found.Item;
  expect(Buffer.from(sent.B, 'base64')).toHaveLength(32);
  expect(put.input).not.toEqual(second.sent[1]?.input);
});

test("without the key, a visit doesn't wait, and one every five seconds tries to read it", async () => {
  const { visitorKey, sent } = open([new Error('DynamoDB is down'), {}, found]);

  await visitorKey.load();
  expect(visitorKey.getKey()).toBeUndefined();
  vi.advanceTimersByTime(5_000);
  // Something else answers.
  expect(visitorKey.getKey()).toBeUndefined();
  await vi.waitFor(() => expect(output.logged()).toHaveLength(2));
  expect(visitorKey.getKey()).toBeUndefined();
  expect(sent).toHaveLength(2);
  vi.advanceTimersByTime(5_000);
  expect(visitorKey.getKey()).toBeUndefined();

  await vi.waitFor(() => expect(visitorKey.getKey()?.export()).toEqual(key));
  expect(output.lines().join()).not.toContain(key.toString('base64'));
});
