import { createRandom } from '../../../fixtures/random.ts';
import { makeSqsEvent } from '../../../fixtures/sqs-events.ts';
import { Faults } from '../../simulation/faults.ts';
import { Statistics } from '../../simulation/statistics.ts';
import { Trace } from '../../simulation/trace.ts';
import { VirtualTime } from '../../simulation/virtual-time.ts';
import { drawPlan } from '../../simulation/world-plan.ts';
import { ArrivalQueue } from '../arrival-queue.ts';
import { type ClickMessage, createClickSource } from '../click-source.ts';
import { Mapping, type MappingSettings, tickMs } from '../mapping.ts';
import { LimitedTable } from '../table.ts';
import { recordBytes, startMs } from '../world.ts';

const seed = 1;

/** What a mapping did with a backlog whose invocations do not end. */
export interface Backlog {
  /** Concurrent batches at each second. */
  running: number[];
  inFlight: number;
  /** The first batch. */
  batch: ClickMessage[];
}

/** Lets the model's mapping work on so many of our messages for so long. */
export function pollBacklog(settings: MappingSettings, messages: number, seconds: number): Backlog {
  let nowMs = startMs;
  const time = {
    get nowMs() {
      return nowMs;
    },
    after: () => {
      throw new Error('expected the mapping to look at the queue in each tick only');
    },
  };
  const queue = fillQueue(messages, () => nowMs);
  const batches: ClickMessage[][] = [];
  const mapping = new Mapping({
    ...{ settings, queue, time, recordBytes, random: createRandom(seed) },
    invoke: (batch) => batches.push(batch),
  });
  const running: number[] = [];
  for (; nowMs <= startMs + seconds * 1_000; nowMs += tickMs) {
    mapping.tick();
    if ((nowMs - startMs) % 1_000 === 0) running.push(mapping.running);
  }
  return { running, inFlight: queue.inFlight, batch: batches[0] ?? [] };
}

function fillQueue(messages: number, now: () => number): ArrivalQueue {
  const queue = new ArrivalQueue({ now, visibilityTimeoutMs: 3_600_000, maxReceiveCount: 3 });
  const law = { links: 1_000, hotShare: 0 };
  const makeClick = createClickSource({
    ...{ seed, law, clicksPerSecond: 1_000, ids: 'placed', queues: 1 },
  });
  for (let left = messages; left > 0; left -= 1) queue.arrive(makeClick());
  return queue;
}

/** The bytes of a batch as an event, with receipt handles as long as on AWS. */
export function eventBytes(batch: readonly ClickMessage[]): number {
  const event = makeSqsEvent(
    batch.map(({ body, sentMs }, index) => ({
      ...{ body, sentMs },
      messageId: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    })),
  );
  const handle = 'h'.repeat(handleLength);
  for (const record of event.Records) record.receiptHandle = handle;
  return Buffer.byteLength(JSON.stringify(event));
}

/** From memory, not looked up: some 200 to 400 characters. */
const handleLength = 240;

const warmUpSeconds = 2;
const measuredSeconds = 4;

/** Units a second that are offered to a table, spread evenly over so many partition keys. */
export interface Offer {
  unitsPerSecond: number;
  partitionKeys: number;
  previousPeakUnits: number;
}

/** The write units a second that get through in the model's table. */
export async function writeToTable(offer: Offer): Promise<number> {
  const time = new VirtualTime(0);
  const now = () => time.nowMs;
  const statistics = new Statistics();
  const faults = new Faults({ plan: drawPlan(seed), now, statistics, trace: new Trace(now) });
  faults.end();
  const { previousPeakUnits, partitionKeys } = offer;
  const table = new LimitedTable({
    ...{ seed, time, faults, statistics, previousPeakUnits, isDown: () => false },
  });
  const written = () => statistics.totals['write units'] ?? 0;
  let sent = 0;
  // A transaction of a small item takes two units.
  const perTick = (offer.unitsPerSecond * tickMs) / 1_000 / 2;
  const tick = () => {
    for (let left = perTick; left > 0; left -= 1) {
      sent += 1;
      table.handle('TransactWriteItems', putNew(sent, partitionKeys), () => {});
    }
    time.after(tickMs, tick);
  };
  tick();
  await time.runUntil(() => time.nowMs >= warmUpSeconds * 1_000);
  const before = written();
  await time.runUntil(() => time.nowMs >= (warmUpSeconds + measuredSeconds) * 1_000);
  return (written() - before) / measuredSeconds;
}

/** Each item is new, so that no transaction meets another. */
function putNew(number: number, partitionKeys: number) {
  const Item = { PK: { S: `KEY#${number % partitionKeys}` }, SK: { S: `ITEM#${number}` } };
  return { TransactItems: [{ Put: { TableName: 'ClickTable', Item } }] };
}
