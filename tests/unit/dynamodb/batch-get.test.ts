import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { batchGetItems } from '../../../lib/dynamodb/requests.ts';

const one = { PK: 'LINK#1111', SK: 'META' };
const two = { PK: 'LINK#2222', SK: 'META' };

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.8);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** DynamoDB's answer if it reads only some of the items. */
const answer = (read?: object[], left?: object[]) => ({
  ...(read && { Responses: { links: read } }),
  ...(left && { UnprocessedKeys: { links: { Keys: left } } }),
});

/** Reads two items from a table with these answers. Returns the requests with their times, too. */
async function read(...answers: object[]) {
  const startMs = Date.now();
  const requests: { keys: unknown; afterMs: number }[] = [];
  const send = async ({ input }: { input: { RequestItems: { links: { Keys: unknown } } } }) => {
    requests.push({ keys: input.RequestItems.links.Keys, afterMs: Date.now() - startMs });
    return answers.shift();
  };
  const client = { send } as unknown as DynamoDBDocumentClient;
  const items = batchGetItems({ client, tableName: 'links' }, [one, two]).catch(
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return { items: await items, requests };
}

test('unprocessed keys are read again, with backoff', async () => {
  const { items, requests } = await read(
    ...[answer([two], [one]), answer([], [one]), answer([one], [])],
  );

  expect(items).toEqual([two, one]);
  expect(requests).toEqual([
    { keys: [one, two], afterMs: 0 },
    { keys: [one], afterMs: 40 },
    { keys: [one], afterMs: 120 },
  ]);
});

test('the read fails after five requests, which may have answers without items', async () => {
  const busy = Array.from({ length: 4 }, () => answer(undefined, [one, two]));

  const fifth = await read(...busy, answer([one, two]));
  const sixth = await read(...busy, answer([two], [one]), answer([one], []));

  expect(fifth.items).toEqual([one, two]);
  expect(sixth.items).toEqual(new Error('expected all items within 5 reads'));
  expect(sixth.requests).toHaveLength(5);
});
