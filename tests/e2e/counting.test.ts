import { randomUUID } from 'node:crypto';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { clickDetailType, clickSource } from '../../lib/clicks/click.ts';
import { poisonMessage, repeatedClick, repeatedClickDay } from '../../local/real-messages.ts';
import { createServiceClient } from '../../local/service-client.ts';
import { takeDeadLetters } from './clean-up.ts';
import { connectTarget } from './target.ts';

const target = inject('target');
const { api, token, runId, outputs } = target;
const { dynamodb, sqs, events } = connectTarget(target);
const service = createServiceClient({
  api,
  token,
  dynamodb,
  sqs,
  tableName: outputs.TableName,
  clickQueueUrl: outputs.ClickQueueUrl,
  clickDlqUrl: outputs.ClickDlqUrl,
});

const minuteMs = 60_000;
const { maxReceiveCount, visibilityTimeoutMs } = await service.readRetries();
// SQS waits for no second attempt to fail, so this much is certain; a batching window comes on top.
const buriedWithinMs = 2 * maxReceiveCount * visibilityTimeoutMs + minuteMs;
const soon = { timeout: minuteMs, interval: 250 };
const buried = { timeout: buriedWithinMs, interval: 3_000 };
const isoDay = () => new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);

const makeLink = (name: string) => service.createLink(`${runId}-${name}`);
const readClicks = async (code: string) => (await service.readStats(code)).clicks;
const readDay = async (code: string, day: string) =>
  (await service.readStats(code)).days.find(({ date }) => date === day)?.count;

// No message of this run can be a dead letter sooner.
const earliestMs = Date.now() + maxReceiveCount * visibilityTimeoutMs;
const taken = new Set<string>();
let taking: Promise<void> | undefined;

/** The run's dead letters so far; the tests that wait for some share one look. */
async function listBuried(): Promise<Set<string>> {
  if (Date.now() < earliestMs) return taken;
  taking ??= takeDeadLetters(sqs, target).then((bodies) => {
    for (const body of bodies) taken.add(body);
    taking = undefined;
  });
  await taking;
  return taken;
}

/** What the counts must still be when all else is over. */
const expectedClicks = new Map<string, number>();

afterAll(() => {
  for (const client of [dynamodb, sqs, events]) client.destroy();
});

describe.concurrent('a deployed service', { timeout: buriedWithinMs + minuteMs }, () => {
  test('counts each visit of a link', async ({ expect }) => {
    const code = await makeLink('visits');
    const firstDay = isoDay();

    const visits = await Promise.all([1, 2, 3].map(() => service.openLink(code)));

    const redirect = { status: 302, location: 'https://example.com/' };
    expect(visits).toEqual([redirect, redirect, redirect]);
    await expect.poll(() => readClicks(code), soon).toBe(3);
    const { days } = await service.readStats(code);
    // Unless midnight came in between, there is one day.
    expect(days.every(({ date }) => date === firstDay || date === isoDay())).toBe(true);
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expectedClicks.set(code, 3);
  });

  test('counts a click that is sent twice once', async ({ expect }) => {
    const code = await makeLink('twice');
    const id = `fixed-test-id-xyz-${runId}`;
    const body = repeatedClick(code, id);

    await Promise.all([service.send(body), service.send(body)]);

    await expect.poll(() => readClicks(code), soon).toBe(1);
    expect(await readDay(code, repeatedClickDay)).toBe(1);
    expect((await service.readItem(`CLICK#${id}`, 'CLICK'))?.ttl).toBeGreaterThan(
      Date.now() / 1000,
    );
    expectedClicks.set(code, 1);
  });

  test('counts a click once that reaches the bus twice, as two events', async ({ expect }) => {
    const code = await makeLink('bus');
    const clickId = `${runId}-${randomUUID()}`;
    const entry = {
      EventBusName: outputs.BusName,
      Source: clickSource,
      DetailType: clickDetailType,
      Detail: JSON.stringify({ clickId, code, at: `${repeatedClickDay}T10:00:00Z` }),
    };

    const { FailedEntryCount, Entries = [] } = await events.send(
      new PutEventsCommand({ Entries: [entry, entry] }),
    );

    expect(FailedEntryCount).toBe(0);
    expect(new Set(Entries.map(({ EventId }) => EventId)).size).toBe(2);
    await expect.poll(() => readClicks(code), soon).toBe(1);
    expectedClicks.set(code, 1);
  });

  test('makes a poison message a dead letter, as it was, and counts others meanwhile', async ({
    expect,
  }) => {
    const code = await makeLink('poison');
    const poison = poisonMessage(`bad-event-1-${runId}`);
    await service.send(poison);

    await service.openLink(code);
    await expect.poll(() => readClicks(code), soon).toBe(1);
    await expect.poll(listBuried, buried).toContain(poison);

    expectedClicks.set(code, 1);
  });

  test('counts the good messages of a batch in which others fail', async ({ expect }) => {
    const code = await makeLink('batch');
    const good = Array.from({ length: 7 }, (_, index) =>
      repeatedClick(code, `${runId}-batch-${index}`),
    );
    const bad = [
      poisonMessage(`${runId}-batch-bad`),
      `no JSON, of ${runId}`,
      repeatedClick(`${runId}-none`, `${runId}-batch-lost`),
    ];

    await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: outputs.ClickQueueUrl,
        Entries: [...good, ...bad].map((MessageBody, index) => ({ Id: `${index}`, MessageBody })),
      }),
    );

    await expect.poll(() => readClicks(code), soon).toBe(7);
    await expect
      .poll(async () => [...(await listBuried())], buried)
      .toEqual(expect.arrayContaining(bad));
    expectedClicks.set(code, 7);
  });

  test('answers 404 for a code that no link has, and 401 without a token', async ({ expect }) => {
    const unknown = await service.openLink(`${runId}-none`);
    const stats = await fetch(`${api}/links/${runId}-none/stats`);
    const creation = await fetch(`${api}/links`, { method: 'POST', body: '{}' });

    expect([unknown.status, stats.status, creation.status]).toEqual([404, 401, 401]);
  });
});

test('has counted nothing twice in the end', async () => {
  const codes = [...expectedClicks.keys()];
  const clicks = await Promise.all(codes.map(readClicks));
  const stats = await Promise.all(codes.map(service.readStats));

  expect(codes).toHaveLength(5);
  expect(clicks).toEqual([...expectedClicks.values()]);
  expect(stats.map(({ days }) => days.reduce((sum, { count }) => sum + count, 0))).toEqual(clicks);
});
