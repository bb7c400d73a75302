import { randomUUID } from 'node:crypto';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { describe, expect, inject, test } from 'vitest';
import { clickDetailType, clickSource } from '../../lib/clicks/click-source.ts';
import { invalidMessage, repeatedClick, repeatedClickDay } from '../../local/real-messages.ts';
import { createServiceClient } from '../../local/service-client.ts';
import { fetchByContract } from '../helpers/contract.ts';
import { isoDay } from '../helpers/items.ts';
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
  fetch: fetchByContract,
  tableName: outputs.TableName,
  clickQueueUrl: outputs.ClickQueueUrl,
  clickDlqUrl: outputs.ClickDlqUrl,
});

const minuteMs = 60_000;
const { maxReceiveCount, visibilityTimeoutMs } = await service.readRetries();
// Twice the time of the attempts, because SQS may deliver late, plus a minute for the batching window.
const buriedWithinMs = 2 * maxReceiveCount * visibilityTimeoutMs + minuteMs;
const soon = { timeout: minuteMs, interval: 250 };
const buried = { timeout: buriedWithinMs, interval: 3_000 };

const makeLink = (name: string) => service.createLink(`${runId}-${name}`);
const readClicks = async (code: string) => (await service.readStats(code)).clicks;
const readDay = async (code: string, day: string) =>
  (await service.readStats(code)).days.find(({ date }) => date === day)?.count;

/** The instant of published clicks. */
const at = `${repeatedClickDay}T10:00:00Z`;

/** Publishes the same detail in two events. */
function publishTwice(detail: object) {
  const kind = { EventBusName: outputs.BusName, Source: clickSource, DetailType: clickDetailType };
  const entry = { ...kind, Detail: JSON.stringify(detail) };
  return events.send(new PutEventsCommand({ Entries: [entry, entry] }));
}

// This run's messages can't be dead letters sooner.
const earliestMs = Date.now() + maxReceiveCount * visibilityTimeoutMs;
const taken = new Set<string>();
let taking: Promise<void> | undefined;

/** Receives the run's dead letters. Concurrent tests share one read. */
async function listBuried(): Promise<Set<string>> {
  if (Date.now() < earliestMs) return taken;
  taking ??= takeDeadLetters(sqs, target).then((bodies) => {
    for (const body of bodies) taken.add(body);
    taking = undefined;
  });
  await taking;
  return taken;
}

/** The counts to check again at the end. */
const expectedClicks = new Map<string, number>();

describe.concurrent('a deployed service', { timeout: buriedWithinMs + minuteMs }, () => {
  test('counts each visit to a link', async ({ expect }) => {
    const code = await makeLink('visits');
    const firstDay = isoDay();

    const visits = await Promise.all([1, 2, 3].map(() => service.openLink(code)));

    const redirect = { status: 302, location: 'https://example.com/' };
    expect(visits).toEqual([redirect, redirect, redirect]);
    await expect.poll(() => readClicks(code), soon).toBe(3);
    const { days } = await service.readStats(code);
    // A test that runs across midnight has two days.
    expect(days.every(({ date }) => date === firstDay || date === isoDay())).toBe(true);
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expectedClicks.set(code, 3);
  });

  test('counts a click sent twice only once', async ({ expect }) => {
    const code = await makeLink('twice');
    const id = `fixed-test-id-xyz-${runId}`;
    const body = repeatedClick(code, id);

    await service.send(body, body);

    await expect.poll(() => readClicks(code), soon).toBe(1);
    expect(await readDay(code, repeatedClickDay)).toBe(1);
    expect((await service.readItem(`CLICK#${id}`, 'CLICK'))?.ttl).toBeGreaterThan(
      Date.now() / 1000,
    );
    expectedClicks.set(code, 1);
  });

  test('counts a click that reaches the bus as two events only once', async ({ expect }) => {
    const code = await makeLink('bus');
    const clickId = `${runId}-${randomUUID()}`;

    const { FailedEntryCount, Entries = [] } = await publishTwice({ clickId, code, at });

    expect(FailedEntryCount).toBe(0);
    expect(new Set(Entries.map(({ EventId }) => EventId)).size).toBe(2);
    await expect.poll(() => readClicks(code), soon).toBe(1);
    expectedClicks.set(code, 1);
  });

  test('counts the clicks of an envelope, and turns one that it cannot count into a dead letter alone', async ({
    expect,
  }) => {
    const code = await makeLink('envelope');
    const toClick = (name: string) => ({
      clickId: `${runId}-envelope-${name}`,
      code,
      at,
    });
    const clicks = Array.from({ length: 30 }, (_, index) => toClick(`${index}`));
    const lost = { ...toClick('lost'), code: `${runId}-none` };

    await publishTwice({ clicks: [...clicks, lost] });

    await expect.poll(() => readClicks(code), soon).toBe(30);
    const listDetails = async () =>
      [...(await listBuried())].flatMap((body) => {
        const isOne = body.includes(lost.clickId);
        return isOne ? [JSON.parse(body).detail] : [];
      });
    await expect.poll(listDetails, buried).toContainEqual(lost);
    expectedClicks.set(code, 30);
  });

  test('counts the valid messages of a batch, and turns the others into unchanged dead letters', async ({
    expect,
  }) => {
    const code = await makeLink('batch');
    const valid = Array.from({ length: 7 }, (_, index) =>
      repeatedClick(code, `${runId}-batch-${index}`),
    );
    const invalid = [
      invalidMessage(`${runId}-batch-bad`),
      `no JSON, of ${runId}`,
      repeatedClick(`${runId}-none`, `${runId}-batch-lost`),
    ];

    await service.send(...valid, ...invalid);

    await expect.poll(() => readClicks(code), soon).toBe(7);
    await expect
      .poll(async () => [...(await listBuried())], buried)
      .toEqual(expect.arrayContaining(invalid));
    expectedClicks.set(code, 7);
  });

  test('answers 404 for an unknown code, and 401 without a token', async ({ expect }) => {
    const unknown = await service.openLink(`${runId}-none`);
    const stats = await fetchByContract(`${api}/links/${runId}-none/stats`);
    const creation = await fetchByContract(`${api}/links`, { method: 'POST', body: '{}' });

    expect(unknown.status).toBe(404);
    expect(stats.status).toBe(401);
    expect(creation.status).toBe(401);
  });
});

test('no click counts twice later', async () => {
  const codes = [...expectedClicks.keys()];
  const clicks = await Promise.all(codes.map(readClicks));
  const stats = await Promise.all(codes.map(service.readStats));

  expect(codes).toHaveLength(5);
  expect(clicks).toEqual([...expectedClicks.values()]);
  expect(stats.map(({ days }) => days.reduce((sum, { count }) => sum + count, 0))).toEqual(clicks);
});
