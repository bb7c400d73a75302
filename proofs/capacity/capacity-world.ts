import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import { linkKey } from '../../lib/keys.ts';
import { findFailedIds } from '../../local/engines/batch-response.ts';
import type { FunctionCode } from '../simulation/compiled-code.ts';
import { keyOf } from '../simulation/dynamodb/item-store.ts';
import { Faults } from '../simulation/faults.ts';
import { type InvocationEnd, LambdaFunction } from '../simulation/lambda.ts';
import { environmentOf } from '../simulation/stage-settings.ts';
import { Statistics } from '../simulation/statistics.ts';
import { Trace } from '../simulation/trace.ts';
import { VirtualTime } from '../simulation/virtual-time.ts';
import { drawPlan } from '../simulation/world-plan.ts';
import type { ArrivalQueue } from './arrival-queue.ts';
import { CpuCarrier, withCoreClocks } from './carrier.ts';
import { ClickQueues } from './click-queues.ts';
import { type ClickMessage, codesOf } from './click-source.ts';
import { aggregatorCpu, cpuShare } from './cpu.ts';
import { LimitedTable } from './limited-table.ts';
import { tickMs } from './mapping.ts';
import { Meter } from './meter.ts';
import type { StageSettings } from './stage.ts';
import type { Traffic } from './traffic.ts';

interface CapacityPlan {
  seed: number;
  settings: StageSettings;
  traffic: Traffic;
  previousPeakUnits: number;
}

const startMs = Date.UTC(2026, 4, 26, 10);
/** The limit for counting a backlog after an outage. */
const maxDrainSeconds = 3 * 3_600;

/** The deployed aggregator under one traffic, in virtual time, with AWS's limits. */
export class CapacityWorld {
  readonly plan: CapacityPlan;
  readonly time = new VirtualTime(startMs);
  readonly statistics = new Statistics();
  readonly meter: Meter;
  readonly table: LimitedTable;
  readonly queues: ClickQueues;
  readonly #aggregator: LambdaFunction;
  readonly #carrier: CpuCarrier;
  #batches = 0;

  constructor(plan: CapacityPlan, code: FunctionCode) {
    this.plan = plan;
    const { seed, settings, traffic } = plan;
    const { time, statistics } = this;
    const now = () => time.nowMs;
    const trace = new Trace(now);
    const faults = new Faults({ plan: drawPlan(seed), now, statistics, trace });
    faults.end();
    this.meter = new Meter(startMs + traffic.measureFromSeconds * 1_000);
    this.table = new LimitedTable({
      ...{ seed, time, faults, statistics, previousPeakUnits: plan.previousPeakUnits },
      isDown: () => this.#isDown,
    });
    this.#carrier = new CpuCarrier({
      ...{ time, table: this.table, cpu: aggregatorCpu, cpuShare: cpuShare(settings.memoryMb) },
    });
    this.queues = new ClickQueues({
      ...{ seed, settings, traffic, time, recordBytes },
      invoke: (batch, queue, receivedMs, done) => this.#invoke(batch, queue, receivedMs, done),
    });
    this.#aggregator = new LambdaFunction({
      ...{ role: 'aggregator', seed, time, faults, statistics, trace },
      code: withCoreClocks(code, (instance) => this.#carrier.clockOf(instance)),
      network: this.#carrier,
      environment: {
        ...environmentOf('aggregator', settings),
        POWERTOOLS_LOG_LEVEL: settings.logLevel,
      },
      timeoutMs: settings.functionTimeoutMs,
      spareStartRate: 0,
      onLog: (_, line) => this.meter.onLog(line, time.nowMs),
      onStartFailure: (_, error) => {
        throw error;
      },
    });
  }

  get seconds(): number {
    return (this.time.nowMs - startMs) / 1_000;
  }

  get #isDown(): boolean {
    const { outage } = this.plan.traffic;
    return !!outage && this.seconds >= outage.fromSeconds && this.seconds < outage.untilSeconds;
  }

  /** Runs until the traffic ends or, after an outage, until the queue is empty. */
  async run(onSecond: (seconds: number) => void = () => {}): Promise<void> {
    const { untilSeconds, outage } = this.plan.traffic;
    this.#createLinks();
    const endSeconds = untilSeconds + (outage ? maxDrainSeconds : 0);
    const isOver = () =>
      this.seconds >= endSeconds ||
      (outage !== undefined &&
        this.seconds >= untilSeconds &&
        this.queues.sum(({ size }) => size) === 0);
    let told = 0;
    const tick = () => {
      this.#tick();
      if (Math.floor(this.seconds) > told) {
        told = Math.floor(this.seconds);
        onSecond(told);
      }
      if (!isOver()) this.time.after(tickMs, tick);
    };
    tick();
    await this.time.runUntil(isOver);
  }

  #createLinks(): void {
    for (const code of codesOf(this.plan.traffic.law)) {
      const { PK, SK } = linkKey(code);
      const item = { PK: { S: PK }, SK: { S: SK }, url: { S: 'https://example.com' } };
      const stored = { ...item, clicks: { N: '0' } };
      this.table.items.commit(new Map([[keyOf(item), stored]]), () => {});
    }
  }

  #tick(): void {
    const { untilSeconds, clicksPerSecond } = this.plan.traffic;
    this.queues.tick(this.seconds < untilSeconds ? clicksPerSecond : 0);
    this.meter.noteInFlight(this.queues.maxInFlight, this.time.nowMs);
  }

  #invoke(
    messages: ClickMessage[],
    queue: ArrivalQueue,
    receivedMs: number,
    done: (deleted: number) => void,
  ): void {
    const startMs = this.time.nowMs;
    const end = (outcome: InvocationEnd) => {
      const ids = messages.map(({ id }) => id);
      const failed =
        'error' in outcome ? new Set(ids) : findFailedIds(JSON.stringify(outcome.answer), ids);
      const counted = messages.filter(({ id }) => !failed.has(id));
      this.meter.endBatch(startMs, counted, this.time.nowMs);
      queue.delete(counted.length);
      queue.giveBack(
        messages.filter(({ id }) => failed.has(id)),
        receivedMs,
      );
      done(counted.length);
    };
    this.#batches += 1;
    const name = this.#aggregator.invoke(`batch-${this.#batches}`, toEvent(messages), end);
    this.#carrier.begin(name, messages.length);
  }
}

function toEvent(messages: ClickMessage[]) {
  return makeSqsEvent(
    messages.map(({ id, body, sentMs, receiveCount }) => ({
      ...{ messageId: id, body, sentMs, receiveCount },
    })),
  );
}

const envelopeBytes = Buffer.byteLength(
  JSON.stringify(makeSqsEvent([{ messageId: 'm'.repeat(36), body: '' }])),
);

/** A body is a JSON string, so its quotes are escaped. AWS's receipt handles have about 200 bytes more. */
function recordBytes({ body }: ClickMessage): number {
  return envelopeBytes + 200 + JSON.stringify(body).length;
}
