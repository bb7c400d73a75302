import { createHash } from 'node:crypto';
import type { AttributeValue } from '../../fixtures/dynamodb-items.ts';
import type { Violation } from './auditor.ts';
import { clickOfEvent } from './click.ts';
import type { FunctionCode } from './compiled-code.ts';
import { markerLifeMs } from './settings.ts';
import type { Totals } from './statistics.ts';
import type { Traffic } from './traffic.ts';
import { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** How long a world may need to settle without faults. */
const patienceMs = 2 * dayMs;
const maxRedrives = 5;
/** Concurrent requests need an instance each, and starts of instances take much of a small world's time. */
const createdAtOnce = 8;

export interface WorldResult {
  seed: number;
  violations: Violation[];
  totals: Totals;
  /** Equal for all runs of one seed. */
  digest: string;
  /** The names of the faults that happened. */
  faults: string[];
}

/** Runs one world from its first link to the last audit. */
export async function runWorld(
  plan: WorldPlan,
  code: FunctionCode,
  write?: (line: string) => void,
): Promise<WorldResult> {
  const world = new World(plan, code, write);
  await live(world);
  return {
    seed: plan.seed,
    violations: world.auditor.violations,
    totals: world.statistics.totals,
    digest: digest(world),
    faults: world.faults.happened,
  };
}

async function live(world: World): Promise<void> {
  const { plan, time, api, mapping } = world;
  const codes = Array.from({ length: plan.links }, (_, index) => `link-${index}`);
  await createLinks(world, codes);
  const broken = ['mended', 'broken'];
  for (const code of broken) storeLink(world, code, { S: 'many' });
  const traffic = world.createTraffic({ codes, broken, strays: ['late', 'absent'] });
  traffic.start();
  world.live?.start();
  for (const afterMs of plan.deployAfterMs) time.after(afterMs, () => world.deploy());
  for (const afterMs of plan.redriveAfterMs) time.after(afterMs, () => world.redrive());
  if (plan.seed % 2 === 0) time.after(plan.spanMs / 2, () => api.createLink('late'));
  await time.pass(plan.isLong ? 16 * dayMs : plan.spanMs + 20 * minuteMs);

  await world.endFaults();
  await createLinks(world, ['late']);
  storeLink(world, 'mended', { N: '0' });
  world.spoiltPages.mend();
  resendUnpublished(world);
  mapping.resume();
  await settle(world);
  world.auditor.checkDeadLetters(world.deadLetters.list());
  if (plan.isLong) await reuseIds(world, traffic);
  await checkStatistics(world, codes[0] ?? '');
  world.auditor.checkEnd(world.queue.list(), world.deadLetters.list());
  await world.live?.finish();
}

/** Retries until every link exists. */
export async function createLinks({ api, time }: World, codes: string[]): Promise<void> {
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
function storeLink(world: World, code: string, clicks: AttributeValue): void {
  const url = { S: `https://example.com/${code}` };
  world.storeByHand({ PK: { S: `LINK#${code}` }, SK: { S: 'META' }, url, clicks });
}

// Operators send the events that the resolver could only log.
function resendUnpublished({ api, queue, auditor, time }: World): void {
  for (const event of api.unpublished) {
    const body = JSON.stringify(event);
    const sent = { click: clickOfEvent(body), sentMs: time.nowMs };
    auditor.onSent(sent);
    queue.send(body, sent);
  }
}

/** Redrives until the only dead letters are those that can never be counted. */
export async function settle(world: World): Promise<void> {
  const { time, queue, bus, mapping, deadLetters, auditor } = world;
  for (let round = 0; round < maxRedrives; round += 1) {
    const endMs = time.nowMs + patienceMs;
    const isSettled = () => queue.size === 0 && mapping.isIdle && bus.pending === 0;
    await time.runUntil(() => isSettled() || time.nowMs > endMs);
    if (!deadLetters.list().some(({ sent }) => auditor.isCountable(sent))) return;
    world.redrive();
  }
}

// Uses ids again when their markers have expired, though TTL has not deleted all of them. It may
// have deleted a page that somebody spoilt, but the dead letters of that page are too old to redrive.
async function reuseIds(world: World, traffic: Traffic): Promise<void> {
  const { plan, time, auditor, deadLetters } = world;
  const { startMs, settings } = plan;
  const old = new Set(deadLetters.list());
  await time.pass(startMs + markerLifeMs(settings) + dayMs - time.nowMs);
  traffic.reuse(auditor.reusableClicks(100));
  await settle(world);
  auditor.checkDeadLetters(deadLetters.list().filter((letter) => !old.has(letter)));
}

// The service must answer with the stored sums.
async function checkStatistics({ time, api, auditor }: World, code: string): Promise<void> {
  let isOver = false;
  api.readStatistics(code, (body) => {
    auditor.checkStatistics(code, body);
    isOver = true;
  });
  await time.runUntil(() => isOver);
}

function digest({ statistics, items, faults, time }: World): string {
  const sums = [...items.scan()].filter(({ PK }) => PK && 'S' in PK && PK.S.startsWith('LINK#'));
  const state = [statistics.totals, sums, faults.happened, time.nowMs, time.fired];
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16);
}
