import type { DynamoDBRecord } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeContext } from '../../../fixtures/lambda-context.ts';
import { useApi } from '../../helpers/api.ts';
import { useClock } from '../../helpers/clock.ts';
import { streamRecord, useConnections } from '../../helpers/connections.ts';
import { brokenDownDay, type Item, link } from '../../helpers/items.ts';
import { useModule } from '../../helpers/test-table.ts';

const connections = useConnections();
const { table, output } = useApi(['PushCounts']);
const { startMs } = useClock('2026-11-22T07:00:00Z');
const start = startMs / 1_000;
const functions = useModule(() => import('../../../functions/push-counts.ts'));

beforeEach(() => table.put({ PK: 'CONNECTIONS', SK: 'CONNECTIONS', ttl: start + 3_600 }));

const push = (...items: Item[]) =>
  pushRecords(items.map((item, index) => streamRecord(item, index)));
const pushRecords = (Records: DynamoDBRecord[]) => functions.handler({ Records }, makeContext());

const watcher = (code: string, id: string, ttl = start + 3_600) => ({
  PK: `WATCH#${code}`,
  SK: `CONNECTION#${id}`,
  owner: 'ada',
  ttl,
});
const connection = (id: string, ...codes: string[]) => ({
  PK: `CONNECTION#${id}`,
  SK: 'CONNECTION',
  owner: 'ada',
  ttl: start + 3_600,
  minute: 0,
  messages: 0,
  codes: new Set(codes),
});
const watchOf = (code: string, id: string) => table.get(`WATCH#${code}`, `CONNECTION#${id}`);
const metric = (name: string) => output.metrics().map((line) => line[name]);

test("a change reaches all of the link's watchers, each with one message about its own links", async () => {
  await table.put(
    ...['ada-1', 'ada-2'].map((id) => watcher('docs', id)),
    ...[watcher('summer', 'ada-2'), watcher('docs-2', 'other')],
  );

  const answer = await push(
    ...[{ ...link('docs', 13), vh: 9, vb: 3 }, brokenDownDay('docs', '2026-11-22', 5)],
    ...[link('summer', 2), link('winter', 3)],
  );

  const day = {
    date: '2026-11-22',
    count: 5,
    people: 5,
    bots: 0,
    breakdowns: {
      visitor: [{ name: 'human', count: 5 }],
      device: [{ name: 'desktop', count: 5 }],
      referrer: [{ name: 'direct', count: 5 }],
      hour: [{ name: '10', count: 5 }],
    },
  };
  const docs = expect.objectContaining({ code: 'docs', clicks: 13, people: 9, bots: 3 });
  const summer = { code: 'summer', clicks: 2, people: 0, bots: 0, days: [] };
  expect(answer).toEqual({ batchItemFailures: [] });
  expect(connections.messagesTo('ada-1')).toMatchObject([
    { type: 'counts', links: [{ code: 'docs', days: [day] }] },
  ]);
  expect(connections.messagesTo('ada-2')).toEqual([
    { type: 'counts', links: expect.arrayContaining([docs, summer]) },
  ]);
  expect(connections.sent).toHaveLength(2);
});

test('a record that cannot be read is reported by its sequence number, and the others are pushed', async () => {
  await table.put(watcher('invalid', 'ada'));

  const answer = await pushRecords([
    streamRecord(link('invalid', 1), 1),
    streamRecord({ ...link('invalid'), clicks: 'many' }, 2),
    streamRecord(link('invalid', 3), 3),
    // Without keys, a record doesn't say which link it is about.
    { eventID: 'event-4', dynamodb: { SequenceNumber: '4' } },
  ]);

  expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }, { itemIdentifier: '4' }] });
  expect(connections.messagesTo('ada')).toMatchObject([{ links: [{ clicks: 3 }] }]);
  expect(metric('PushFailures')).toEqual([[1, 1]]);
  const detail = 'expected "clicks" to be a whole number of clicks; got a string of 4 characters';
  const failed = { message: 'record not read', sequenceNumber: '2', eventId: 'event-2' };
  const unknown = { message: 'record not read', sequenceNumber: '4', eventId: 'event-4' };
  expect(output.logged()).toMatchObject([{ ...failed, code: 'invalid', detail }, unknown]);
  expect(output.logged()[1]).not.toHaveProperty('code');
});

describe('a connection', () => {
  test('that is gone is removed with all its watches, even one that it does not list', async () => {
    await table.put(
      ...[watcher('gone', 'gone'), watcher('gone-2', 'gone'), watcher('gone', 'here')],
      connection('gone', 'gone-2'),
    );
    connections.rejections.set('gone', 410);

    await push(link('gone', 1));

    expect(await table.get('CONNECTION#gone', 'CONNECTION')).toBeUndefined();
    expect(await watchOf('gone', 'gone')).toBeUndefined();
    expect(await watchOf('gone-2', 'gone')).toBeUndefined();
    expect(await watchOf('gone', 'here')).toBeDefined();
    expect(connections.messagesTo('here')).toHaveLength(1);
  });

  test('whose token has expired gets nothing and is removed', async () => {
    await table.put(
      watcher('ended', 'expired', start),
      watcher('ended', 'valid', start + 1),
      connection('expired', 'ended'),
    );

    await push(link('ended', 1));

    expect(connections.sent.map(({ connectionId }) => connectionId)).toEqual(['valid']);
    expect(await watchOf('ended', 'expired')).toBeUndefined();
    expect(await table.get('CONNECTION#expired', 'CONNECTION')).toBeUndefined();
  });
});
