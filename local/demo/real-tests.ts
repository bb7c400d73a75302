import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual, styleText } from 'node:util';
import { escapeText, printLine } from '../../cli/terminal/print.ts';
import { utcDay } from '../../lib/days.ts';
import { pollUntil } from '../engines/poll-until.ts';
import { invalidMessage, repeatedClick, repeatedClickDay } from '../real-messages.ts';
import type { ServiceClient } from '../service-client.ts';

const countTimeoutMs = 30_000;
const quietTimeoutMs = 10_000;
/** The exit code that a shell gives a program that was killed by SIGKILL. */
const killed = 137;

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

export interface Play {
  service: ServiceClient;
  narrator: ReturnType<typeof createNarrator>;
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
  const today = utcDay(Date.now());
  const stats = await waitForClicks(service, code, 3);
  narrator.check('It has 3 clicks.', stats.clicks, 3);
  const days = stats.days.map(({ date, count }) => ({ date, count }));
  narrator.check(`${today} has all 3.`, days, [{ date: today, count: 3 }]);
  return code;
}

/** Shows that a click sent twice counts once. */
export async function sendTwice({ service, narrator, code }: Play): Promise<void> {
  narrator.title('2. A click sent twice counts once');
  const before = await service.readStats(code);
  const id = `demo-sent-twice-${randomUUID()}`;
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
export async function sendInvalid({ service, narrator, code }: Play): Promise<void> {
  narrator.title('4. An invalid click becomes a dead letter while other clicks still count');
  const { maxReceiveCount, visibilityTimeoutMs } = await service.readRetries();
  const totalMs = maxReceiveCount * visibilityTimeoutMs;
  const invalid = invalidMessage(`demo-names-no-link-${randomUUID()}`);
  const before = await service.readStats(code);
  narrator.tell(`Sent to ClickQueue: ${invalid}`);
  await service.send(invalid);
  await service.openLink(code);
  const after = await waitForClicks(service, code, before.clicks + 1);
  narrator.check('A click after it counts.', after.clicks - before.clicks, 1);
  narrator.tell(
    `It does not name a link, so all ${maxReceiveCount} attempts fail. This takes ${totalMs / 1000} s …`,
  );
  const isBuried = async () => (await service.readDeadLetters()).includes(invalid);
  await waitFor(isBuried, 2 * totalMs + countTimeoutMs);
  narrator.check('It is in ClickDLQ, byte for byte.', await isBuried(), true);
}

/** Checks the counts once more at the end. */
export async function recount({ service, narrator, code }: Play): Promise<void> {
  narrator.title('At the end');
  const { clicks, days } = await service.readStats(code);
  for (const { date, count } of days) narrator.tell(`${date}: ${count}`);
  const sum = days.reduce((total, { count }) => total + count, 0);
  narrator.check(`The total, ${clicks}, is the sum of the days.`, clicks, sum);
  const repeated = days.find(({ date }) => date === repeatedClickDay)?.count;
  narrator.check('The two clicks that were delivered twice still count once each.', repeated, 2);
}

/** Waits for at least this many clicks or the timeout, and returns the stats. */
export async function waitForClicks(
  service: ServiceClient,
  code: string,
  clicks: number,
  timeoutMs = countTimeoutMs,
) {
  await waitFor(async () => (await service.readStats(code)).clicks >= clicks, timeoutMs);
  return service.readStats(code);
}

/** Another user's message may keep the queue busy. Then `recount` checks again. */
function waitUntilQuiet(service: ServiceClient): Promise<void> {
  return waitFor(async () => (await service.countWaiting()) === 0, quietTimeoutMs);
}

function waitFor(ask: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  return pollUntil(ask, { timeoutMs }).catch(() => undefined);
}
