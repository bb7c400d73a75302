import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, styleText } from 'node:util';
import { escapeText, printLine } from '../../cli/terminal/print.ts';
import { createProgress } from '../../cli/terminal/progress.ts';
import { pollUntil } from '../engines/poll-until.ts';
import {
  poisonMessage,
  repeatedClick,
  repeatedClickDay,
  repeatedClickId,
} from '../real-messages.ts';
import type { ServiceClient } from '../service-client.ts';
import { killed } from './consume-and-die.ts';

const countTimeoutMs = 30_000;
const quietTimeoutMs = 10_000;
const clickIntervalMs = 3_000;

type Narrator = ReturnType<typeof createNarrator>;

/** Prints what the demo does and sees, and counts the failed checks. */
export function createNarrator() {
  let checks = 0;
  let failures = 0;
  const title = (text: string) => console.log(`\n${styleText('bold', text)}`);
  const tell = (text: string) => printLine(`  ${text}`);
  const check = (text: string, actual: unknown, expected: unknown) => {
    checks += 1;
    const isRight = isDeepStrictEqual(actual, expected);
    const mark = isRight ? styleText('green', '✔') : styleText('red', '✖');
    console.log(`  ${mark} ${escapeText(text)}`);
    if (isRight) return;
    failures += 1;
    tell(`  expected ${JSON.stringify(expected)}; got ${JSON.stringify(actual)}`);
  };
  return { title, tell, check, results: () => ({ checks, failures }) };
}

interface Play {
  service: ServiceClient;
  narrator: Narrator;
  code: string;
}

/** Shows that a link opened three times counts three clicks, and returns the link's code. */
export async function openThreeTimes({ service, narrator }: Omit<Play, 'code'>): Promise<string> {
  narrator.title('1. A link opened three times has three clicks');
  const code = await service.createLink();
  narrator.tell(`POST /links created the link ${code}.`);
  for (let visit = 1; visit <= 3; visit += 1) {
    const { status, location } = await service.openLink(code);
    narrator.tell(`GET /${code} answered ${status} and redirects to ${location}.`);
  }
  const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const stats = await waitForClicks(service, code, 3);
  narrator.check('It has 3 clicks.', stats.clicks, 3);
  const days = stats.days.map(({ date, count }) => ({ date, count }));
  narrator.check(`${today} has all 3.`, days, [{ date: today, count: 3 }]);
  return code;
}

/** Shows that a click sent twice counts once. */
export async function sendTwice(play: Play): Promise<void> {
  const { service, narrator, code } = play;
  narrator.title('2. A click sent twice counts once');
  const id = await chooseId(play);
  const before = await service.readStats(code);
  const body = repeatedClick(code, id);
  narrator.tell(`Sent to ClickQueue, twice: ${body}`);
  await service.send(body, body);
  await waitForClicks(service, code, before.clicks + 1);
  await waitUntilQuiet(service);

  const after = await service.readStats(code);
  const marker = await service.readItem(`CLICK#${id}`, 'CLICK');
  narrator.check('The total rose by exactly one.', after.clicks - before.clicks, 1);
  const day = after.days.find(({ date }) => date === repeatedClickDay);
  narrator.check(`STAT#${repeatedClickDay} is 1.`, day?.count, 1);
  const expiry = typeof marker?.ttl === 'number' ? new Date(marker.ttl * 1000).toISOString() : '';
  narrator.check(`The marker CLICK#${id} lives until ${expiry}.`, expiry !== '', true);
}

/** Shows that a click counts once although its consumer is killed after the commit. */
export async function killConsumer(
  { service, narrator, code }: Play,
  consumeAndDie: (body: string) => Promise<number | null>,
): Promise<void> {
  narrator.title('3. A click whose consumer crashes after the commit counts once');
  const before = await service.readStats(code);
  const body = repeatedClick(code, `demo-killed-${randomUUID()}`);
  narrator.tell(
    'A consumer in a process of its own gets a click, and is killed once it has committed.',
  );
  const exitCode = await consumeAndDie(body);
  narrator.check('It was killed, so SQS never heard that the click is counted.', exitCode, killed);
  const counted = await service.readStats(code);
  narrator.check('Its transaction counted it.', counted.clicks - before.clicks, 1);
  narrator.tell(`SQS delivers the click again: ${body}`);
  await service.send(body);
  await waitUntilQuiet(service);
  const after = await service.readStats(code);
  narrator.check('It still counts once.', after.clicks - before.clicks, 1);
}

/** Shows that an invalid click becomes a dead letter while other clicks still count. */
export async function sendPoison(play: Play): Promise<void> {
  const { service, narrator, code } = play;
  narrator.title('4. An invalid click becomes a dead letter while other clicks still count');
  const { maxReceiveCount, visibilityTimeoutMs } = await service.readRetries();
  const poison = await choosePoison(play);
  const before = await service.readStats(code);
  narrator.tell(`Sent to ClickQueue: ${poison}`);
  narrator.tell(
    `It does not name a link, so all ${maxReceiveCount} attempts fail, ${visibilityTimeoutMs / 1000} s apart.`,
  );
  await service.send(poison);

  const totalMs = maxReceiveCount * visibilityTimeoutMs;
  const { opened, seconds, isBuried } = await openUntilBuried(service, code, poison, totalMs);
  narrator.check(`After ${seconds} s it is in ClickDLQ, byte for byte.`, isBuried, true);
  const after = await waitForClicks(service, code, before.clicks + opened);
  const counted = after.clicks - before.clicks;
  narrator.check(`All ${opened} clicks in the meantime count.`, counted, opened);
}

/** Opens the link every few seconds until the message is a dead letter or is long overdue. */
async function openUntilBuried(
  service: ServiceClient,
  code: string,
  poison: string,
  totalMs: number,
) {
  const startedMs = Date.now();
  const deadlineMs = startedMs + 2 * totalMs + countTimeoutMs;
  const progress = createProgress(Math.round(totalMs / 1000), 's');
  let opened = 0;
  let seconds = 0;
  let isBuried = false;
  try {
    while (!isBuried && Date.now() < deadlineMs) {
      await service.openLink(code);
      opened += 1;
      const { clicks } = await service.readStats(code);
      progress.note(`opened ${opened} times, ${clicks} clicks`);
      await sleep(clickIntervalMs);
      isBuried = (await service.readDeadLetters()).includes(poison);
      const elapsed = Math.round((Date.now() - startedMs) / 1000);
      progress.add(elapsed - seconds);
      seconds = elapsed;
    }
  } finally {
    progress.end();
  }
  return { opened, isBuried, seconds };
}

/** Checks the counts once more at the end. */
export async function recount({ service, narrator, code }: Play): Promise<void> {
  narrator.title('At the end');
  const { clicks, days, breakdowns } = await service.readStats(code);
  for (const { date, count } of days) narrator.tell(`${date}: ${count}`);
  narrator.check(`The total, ${clicks}, is the sum of the days.`, clicks, sumCounts(days));
  for (const [name, values] of Object.entries(breakdowns)) {
    narrator.check(`It is the sum of the values of ${name}.`, sumCounts(values), clicks);
  }
  const repeated = days.find(({ date }) => date === repeatedClickDay)?.count;
  narrator.check('The two clicks that were delivered twice still count once each.', repeated, 2);
}

/** Chooses an id that this stack hasn't counted yet. */
async function chooseId({ service, narrator }: Play): Promise<string> {
  const id = repeatedClickId;
  if (!(await service.readItem(`CLICK#${id}`, 'CLICK'))) return id;
  narrator.tell(`This stack has already counted ${id}, so the click gets another id.`);
  return `${id}-${randomUUID()}`;
}

async function choosePoison({ service, narrator }: Play): Promise<string> {
  const poison = poisonMessage();
  if (!(await service.readDeadLetters()).includes(poison)) return poison;
  narrator.tell('ClickDLQ already holds this message, so it gets another id.');
  return poisonMessage(`demo-names-no-link-${randomUUID()}`);
}

/** Waits for at least this many clicks or the timeout, and returns the stats. */
async function waitForClicks(service: ServiceClient, code: string, clicks: number) {
  const isCounted = async () => (await service.readStats(code)).clicks >= clicks;
  await pollUntil(isCounted, { timeoutMs: countTimeoutMs }).catch(() => undefined);
  return service.readStats(code);
}

// Another user's message may keep the queue busy, so this gives up after a while. `recount` checks
// again.
async function waitUntilQuiet(service: ServiceClient): Promise<void> {
  const isQuiet = async () => (await service.countWaiting()) === 0;
  await pollUntil(isQuiet, { timeoutMs: quietTimeoutMs }).catch(() => undefined);
}

function sumCounts(parts: { count: number }[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}
