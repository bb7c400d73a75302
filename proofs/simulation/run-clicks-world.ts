import type { AttributeValue } from '../../fixtures/dynamodb-items.ts';
import { clickOfEvent } from './click.ts';
import { ClicksWorld } from './clicks-world.ts';
import type { FunctionCode } from './compiled-code.ts';
import { markerLifeMs } from './settings.ts';
import type { Traffic } from './traffic.ts';
import { dayMs, type WorldResult } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

/** Concurrent requests need an instance each, and starts of instances take much of a small world's time. */
const createdAtOnce = 8;

/** Runs one world from its first link to the last audit. */
export async function runClicksWorld(
  plan: WorldPlan,
  code: FunctionCode,
  write?: (line: string) => void,
): Promise<WorldResult> {
  const world = new ClicksWorld(plan, code, write);
  await live(world);
  return world.result;
}

async function live(world: ClicksWorld): Promise<void> {
  const { plan, time, api, mapping } = world;
  const codes = Array.from({ length: plan.links }, (_, index) => `link-${index}`);
  await createLinks(world, codes);
  const broken = ['mended', 'broken'];
  for (const code of broken) storeLink(world, code, { S: 'many' });
  const traffic = world.createTraffic({ codes, broken, strays: ['late', 'absent'] });
  traffic.start();
  world.live?.start();
  if (plan.seed % 2 === 0) time.after(plan.spanMs / 2, () => api.createLink('late'));
  await world.passPlan();

  await world.endFaults();
  await createLinks(world, ['late']);
  storeLink(world, 'mended', { N: '0' });
  world.spoiltSheets.mend();
  resendUnpublished(world);
  mapping.resume();
  await world.settle();
  world.auditor.checkDeadLetters(world.deadLetters.list());
  if (plan.isLong) await reuseIds(world, traffic);
  await checkStatistics(world, codes[0] ?? '');
  world.auditor.checkEnd(world.queue.list(), world.deadLetters.list());
  await world.live?.finish();
}

/** Retries until every link exists. */
export async function createLinks({ api, time }: ClicksWorld, codes: string[]): Promise<void> {
  const waiting = codes.values();
  let left = codes.length;
  const createNext = () => {
    const next = waiting.next();
    if (next.done) return;
    api.createLink(next.value, () => {
      left -= 1;
      createNext();
    });
  };
  for (let request = 0; request < createdAtOnce; request += 1) createNext();
  await time.runUntil(() => left === 0);
}

// A link as another tool might have written it: its sum is no number, so it cannot be raised until
// somebody mends it.
function storeLink(world: ClicksWorld, code: string, clicks: AttributeValue): void {
  const url = { S: `https://example.com/${code}` };
  world.storeByHand({ PK: { S: `LINK#${code}` }, SK: { S: 'META' }, url, clicks });
}

// Operators send the events that the resolver could only log.
function resendUnpublished({ api, queue, auditor, time }: ClicksWorld): void {
  for (const event of api.unpublished) {
    const body = JSON.stringify(event);
    const sent = { click: clickOfEvent(body), sentMs: time.nowMs };
    auditor.onSent(sent);
    queue.send(body, sent);
  }
}

// Uses ids again when their markers have expired, though TTL has not deleted all of them. It may
// have deleted a sheet that somebody spoilt, but the dead letters of that sheet are too old to redrive.
async function reuseIds(world: ClicksWorld, traffic: Traffic): Promise<void> {
  const { plan, time, auditor, deadLetters } = world;
  const { startMs, settings } = plan;
  const old = new Set(deadLetters.list());
  await time.pass(startMs + markerLifeMs(settings) + dayMs - time.nowMs);
  traffic.reuse(auditor.reusableClicks(100));
  await world.settle();
  auditor.checkDeadLetters(deadLetters.list().filter((letter) => !old.has(letter)));
}

// The service must answer with the stored sums.
async function checkStatistics({ time, api, auditor }: ClicksWorld, code: string): Promise<void> {
  let isOver = false;
  api.readStatistics(code, (body) => {
    auditor.checkStatistics(code, body);
    isOver = true;
  });
  await time.runUntil(() => isOver);
}
