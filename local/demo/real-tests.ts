import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../engines/wait-until.ts';
import {
  poisonMessage,
  repeatedClick,
  repeatedClickDay,
  repeatedClickId,
} from '../real-messages.ts';
import type { LinkStats, ServiceClient } from '../service-client.ts';
import type { Narrator } from './narrator.ts';

const countTimeoutMs = 30_000;
const quietTimeoutMs = 10_000;
const clickIntervalMs = 3_000;

/** A link that is opened three times counts three clicks. Returns the link's code. */
export async function openThreeTimes(service: ServiceClient, narrator: Narrator): Promise<string> {
  narrator.title('1. A link that is opened three times has three clicks');
  const code = await service.createLink();
  narrator.tell(`POST /links made the link ${code}.`);
  for (let visit = 1; visit <= 3; visit += 1) {
    const { status, location } = await service.openLink(code);
    narrator.tell(`GET /${code} answered ${status}, to ${location}.`);
  }
  const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const stats = await waitForClicks(service, code, 3);
  narrator.check('It has 3 clicks.', stats.clicks, 3);
  narrator.check(`All 3 are of ${today}.`, stats.days, [{ date: today, count: 3 }]);
  return code;
}

/** A click that is sent twice counts once. */
export async function sendTwice(
  service: ServiceClient,
  narrator: Narrator,
  code: string,
): Promise<void> {
  narrator.title('2. A click that is sent twice counts once');
  const id = await chooseId(service, narrator);
  const before = await service.readStats(code);
  const body = repeatedClick(code, id);
  narrator.tell(`To ClickQueue, twice: ${body}`);
  await Promise.all([service.send(body), service.send(body)]);
  await waitForClicks(service, code, before.clicks + 1);
  await waitUntilQuiet(service);

  const after = await service.readStats(code);
  const marker = await service.readItem(`CLICK#${id}`, 'CLICK');
  narrator.check('The clicks rose by exactly one.', after.clicks - before.clicks, 1);
  const day = after.days.find(({ date }) => date === repeatedClickDay);
  narrator.check(`STAT#${repeatedClickDay} is 1.`, day?.count, 1);
  const expiry = typeof marker?.ttl === 'number' ? new Date(marker.ttl * 1000).toISOString() : '';
  narrator.check(`The marker CLICK#${id} lives until ${expiry}.`, expiry !== '', true);
}

/** A message that cannot be counted becomes a dead letter; clicks are counted meanwhile. */
export async function sendPoison(
  service: ServiceClient,
  narrator: Narrator,
  code: string,
): Promise<void> {
  narrator.title('3. A poison message becomes a dead letter, and clicks are counted meanwhile');
  const { maxReceiveCount, visibilityTimeoutMs } = await service.readRetries();
  const poison = await choosePoison(service, narrator);
  const before = await service.readStats(code);
  narrator.tell(`To ClickQueue: ${poison}`);
  narrator.tell('It names no link, so it fails each time that it is received:');
  narrator.tell(`${maxReceiveCount} times, ${visibilityTimeoutMs / 1000} s apart.`);
  await service.send(poison);

  const totalMs = maxReceiveCount * visibilityTimeoutMs;
  const { opened, seconds, isBuried } = await openUntilBuried(
    service,
    narrator,
    code,
    poison,
    totalMs,
  );
  narrator.check(`After ${seconds} s it is in ClickDLQ, byte for byte.`, isBuried, true);
  const after = await waitForClicks(service, code, before.clicks + opened);
  narrator.check(`All ${opened} clicks meanwhile count.`, after.clicks - before.clicks, opened);
}

/** Opens the link now and then until the poison message is a dead letter, or is long overdue. */
async function openUntilBuried(
  service: ServiceClient,
  narrator: Narrator,
  code: string,
  poison: string,
  totalMs: number,
) {
  const watch = narrator.watch(totalMs);
  const deadlineMs = Date.now() + 2 * totalMs + countTimeoutMs;
  let opened = 0;
  let isBuried = false;
  while (!isBuried && Date.now() < deadlineMs) {
    await service.openLink(code);
    opened += 1;
    const { clicks } = await service.readStats(code);
    watch.update(`opened ${opened} times, clicks ${clicks}`);
    await sleep(clickIntervalMs);
    isBuried = await service.hasDeadLetter(poison);
  }
  watch.end();
  return { opened, isBuried, seconds: watch.seconds() };
}

/** What the counts must still be when all is over. */
export async function recount(
  service: ServiceClient,
  narrator: Narrator,
  code: string,
): Promise<void> {
  narrator.title('In the end');
  const { clicks, days } = await service.readStats(code);
  const sum = days.reduce((total, { count }) => total + count, 0);
  for (const { date, count } of days) narrator.tell(`${date}: ${count}`);
  narrator.check(`The total, ${clicks}, is the sum of the days.`, clicks, sum);
  const repeated = days.find(({ date }) => date === repeatedClickDay)?.count;
  narrator.check('The click that was sent twice still counts once.', repeated, 1);
}

/** The id of the click to be sent twice: another one where this stack has counted it before. */
async function chooseId(service: ServiceClient, narrator: Narrator): Promise<string> {
  const id = repeatedClickId;
  if (!(await service.readItem(`CLICK#${id}`, 'CLICK'))) return id;
  narrator.tell(`${id} was counted on this stack before, so the click gets another id.`);
  return `${id}-${randomUUID()}`;
}

async function choosePoison(service: ServiceClient, narrator: Narrator): Promise<string> {
  const poison = poisonMessage();
  if (!(await service.hasDeadLetter(poison))) return poison;
  narrator.tell('There is such a dead letter already, so the message gets another id.');
  return poisonMessage(`bad-event-1-${randomUUID()}`);
}

/** The stats once there are so many clicks, or as they are when that takes too long. */
async function waitForClicks(
  service: ServiceClient,
  code: string,
  clicks: number,
): Promise<LinkStats> {
  const isCounted = async () => (await service.readStats(code)).clicks >= clicks;
  await waitUntil(isCounted, { timeoutMs: countTimeoutMs }).catch(() => undefined);
  return service.readStats(code);
}

// A message of someone else's may keep the queue busy; the recount at the end comes later still.
async function waitUntilQuiet(service: ServiceClient): Promise<void> {
  const isQuiet = async () => (await service.countWaiting()) === 0;
  await waitUntil(isQuiet, { timeoutMs: quietTimeoutMs }).catch(() => undefined);
}
