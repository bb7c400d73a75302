import { createHash } from 'node:crypto';
import type { Violation } from './auditor.ts';
import type { Code } from './code.ts';
import { type AttributeValue, keyOf } from './dynamodb/table.ts';
import { clickOfEvent } from './event-bus.ts';
import type { Plan } from './plan.ts';
import type { Totals } from './statistics.ts';
import type { Traffic } from './traffic.ts';
import { World } from './world.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** How long a kind world may need to come to rest. */
const patienceMs = 2 * dayMs;

export interface RunResult {
  seed: number;
  violations: Violation[];
  totals: Totals;
  /** Equal for two runs of one seed. */
  digest: string;
  /** The names of the faults that happened. */
  faults: string[];
}

/** Runs one world from its first link to the last audit. */
export async function runWorld(
  plan: Plan,
  code: Code,
  write?: (line: string) => void,
): Promise<RunResult> {
  Object.assign(process.env, plan.settings.environment);
  const world = new World(plan, code, write);
  try {
    await live(world);
    return {
      seed: plan.seed,
      violations: world.auditor.violations,
      totals: world.statistics.totals,
      digest: digest(world),
      faults: world.faults.happened,
    };
  } finally {
    world.end();
  }
}

async function live(world: World): Promise<void> {
  const { plan, time, faults, frontDoor } = world;
  const codes = Array.from({ length: plan.links }, (_, index) => `link-${index}`);
  await createLinks(world, codes);
  for (const code of ['mended', 'broken']) storeLink(world, code, { S: 'many' });
  const traffic = world.createTraffic(codes, ['late', 'absent', 'mended', 'broken']);
  traffic.start();
  for (const afterMs of plan.deployAfterMs) time.after(afterMs, () => world.lambda.deploy());
  for (const afterMs of plan.redriveAfterMs) time.after(afterMs, () => world.redrive());
  if (plan.seed % 2 === 0) time.after(plan.spanMs / 2, () => frontDoor.createLink('late'));
  await passTime(world, plan.isLong ? 16 * dayMs : plan.spanMs + 20 * minuteMs);

  faults.calm = true;
  await createLinks(world, ['late']);
  storeLink(world, 'mended', { N: '0' });
  resendUnpublished(world);
  await settle(world);
  if (plan.isLong) await reuseIds(world, traffic);
  await checkStatistics(world, codes[0] ?? '');
  world.auditor.checkEnd(world.queue.list(), world.deadLetters.list());
}

/** The owners' wish comes true, however often they have to ask. */
export async function createLinks(world: World, codes: string[]): Promise<void> {
  let left = codes.length;
  for (const code of codes) {
    world.frontDoor.createLink(code, () => {
      left -= 1;
    });
  }
  await world.time.runUntil(() => left === 0);
}

// Some links are as somebody else's tool might have written them: the sum is no number, so nothing
// can be added until somebody mends it.
function storeLink({ table }: World, code: string, clicks: AttributeValue): void {
  const url = { S: `https://example.com/${code}` };
  const item = { PK: { S: `LINK#${code}` }, SK: { S: 'META' }, url, clicks };
  table.commit(new Map([[keyOf(item), item]]));
}

async function passTime({ time }: World, forMs: number): Promise<void> {
  let isOver = false;
  time.after(forMs, () => {
    isOver = true;
  });
  await time.runUntil(() => isOver);
}

// Operators send what the resolver could only log.
function resendUnpublished({ frontDoor, queue, auditor, time }: World): void {
  for (const event of frontDoor.unpublished) {
    const body = JSON.stringify(event);
    const sent = { click: clickOfEvent(body), sentMs: time.nowMs };
    auditor.onSent(sent);
    queue.send(body, sent);
  }
}

/** Redrives until only what can never be counted is left. */
export async function settle(world: World): Promise<void> {
  const { time, queue, bus, mapping, deadLetters, auditor } = world;
  for (let round = 0; round < 5; round += 1) {
    const endMs = time.nowMs + patienceMs;
    const isSettled = () => queue.size === 0 && mapping.isIdle && bus.pending === 0;
    await time.runUntil(() => isSettled() || time.nowMs > endMs);
    if (!deadLetters.list().some(({ sent }) => auditor.isCountable(sent))) return;
    world.redrive();
  }
}

// Ids are used again when their markers have expired, though not all are deleted yet.
async function reuseIds(world: World, traffic: Traffic): Promise<void> {
  const { plan, time, auditor } = world;
  const { busRetryMs, queueRetentionMs, deadLetterRetentionMs } = plan.settings;
  const markerLifeMs = busRetryMs + queueRetentionMs + deadLetterRetentionMs + queueRetentionMs;
  await passTime(world, plan.startMs + markerLifeMs + dayMs - time.nowMs);
  traffic.reuse(auditor.countedClicks(100));
  await settle(world);
}

// The service's own answer must be what is stored.
async function checkStatistics({ time, frontDoor, auditor }: World, code: string): Promise<void> {
  let isOver = false;
  frontDoor.readStatistics(code, (body) => {
    auditor.checkStatistics(code, body);
    isOver = true;
  });
  await time.runUntil(() => isOver);
}

function digest(world: World): string {
  const { statistics, table, faults, time } = world;
  const sums = [...table.scan()].filter(({ PK }) => PK && 'S' in PK && PK.S.startsWith('LINK#'));
  const state = [statistics.totals, sums, faults.happened, time.nowMs];
  return createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16);
}
