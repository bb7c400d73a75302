import { v4 } from 'uuid';
import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import { createClickIds } from '../../lib/clicks/click-id.ts';
import { linkKey } from '../../lib/keys.ts';
import { createZipf } from '../tools/zipf.ts';
import { makeClick } from './clicks/click.ts';
import { ClickAuditor } from './clicks/click-auditor.ts';
import type { FunctionCode } from './compiled-code.ts';
import { ContentionMeter, type Measurement } from './contention-meter.ts';
import { ItemStore, keyOf } from './dynamodb/item-store.ts';
import type { InvocationEnd, LambdaFunction } from './lambda.ts';
import { Pollers } from './pollers.ts';
import { environmentOf, readSettings, type Settings } from './stage-settings.ts';
import { Surroundings } from './surroundings.ts';
import { drawDurationMs } from './transaction-duration.ts';
import { drawFaultFreePlan } from './world-plan.ts';

/** Traffic on stage prod, with other batches. */
export interface ContentionTraffic {
  /** Measured after a warm-up. */
  seconds: number;
  /** In each second. */
  clicks: number;
  /** Clicked by Zipf's law, s = 1. */
  links: number;
  /** Execution environments of the resolver. A random one mints each click's id. */
  environments: number;
  pollers: number;
}

interface ContentionPlan extends ContentionTraffic {
  seed: number;
  /** The resolver's ids have a place on a sheet. A foreign producer's are UUIDs. */
  ids: 'placed' | 'foreign';
  /** Whether transactions never conflict, which shows the cost of retries. */
  isUncontended: boolean;
}

/** A click in the queue. */
interface QueuedClick {
  messageId: string;
  body: string;
  sentMs: number;
}

const startMs = Date.UTC(2026, 4, 26, 10);
const measuredFromMs = startMs + 5_000;
/** One queue whose batches are large enough for sheets to matter at this traffic. */
const batching = { batchSize: 1_000, batchWindowMs: 2_000 };

/** An invocation's CPU time per click before it commits. */
const parseMs = 0.05;

/** Sends traffic through the deployed aggregator, without faults, and measures its commits. */
export function measureContention(plan: ContentionPlan, code: FunctionCode): Promise<Measurement> {
  return new ContentionWorld(plan, code).run();
}

class ContentionWorld extends Surroundings {
  readonly #traffic: ContentionPlan;
  readonly #settings: Settings;
  readonly #items: ItemStore;
  readonly #auditor: ClickAuditor;
  readonly #meter: ContentionMeter;
  readonly #aggregator: LambdaFunction;
  readonly #pollers: Pollers<QueuedClick>;
  readonly #endMs: number;
  #sent = 0;
  #done = 0;
  #batches = 0;

  constructor(traffic: ContentionPlan, code: FunctionCode) {
    super({ ...drawFaultFreePlan(traffic.seed), startMs }, code);
    this.faults.end();
    this.#traffic = traffic;
    const prod = readSettings().find(({ stage }) => stage === 'prod');
    if (!prod) throw new Error('expected a stage prod in serverless.yml; got none');
    const settings = { ...prod, ...batching };
    this.#settings = settings;
    this.#endMs = measuredFromMs + traffic.seconds * 1_000;
    this.#auditor = new ClickAuditor(settings, this.now, () => false);
    this.#items = new ItemStore(this.random('table'), this.now, (changes) =>
      this.#auditor.onCommit(changes),
    );
    this.#meter = new ContentionMeter(this, measuredFromMs, this.#endMs);
    this.#aggregator = this.#createAggregator();
    this.#pollers = new Pollers({
      ...{ count: traffic.pollers, settings, time: this.time, random: this.random('pollers') },
      invoke: (clicks, done) => this.#invoke(clicks, done),
    });
  }

  async run(): Promise<Measurement> {
    const codes = Array.from({ length: this.#traffic.links }, (_, rank) => `link-${rank}`);
    for (const code of codes) {
      const { PK, SK } = linkKey(code);
      const item = { PK: { S: PK }, SK: { S: SK }, url: { S: 'https://example.com' } };
      this.#items.commit(new Map([[keyOf(item), { ...item, clicks: { N: '0' } }]]));
    }
    this.#startTraffic(codes);
    await this.time.pass(this.#endMs - startMs);
    await this.time.runUntil(() => this.#done === this.#sent);
    this.#auditor.checkEnd([], []);
    return this.#meter.report(this.#auditor.violations.map(({ kind, text }) => `${kind}: ${text}`));
  }

  #createAggregator(): LambdaFunction {
    const settings = this.#settings;
    const { isUncontended } = this.#traffic;
    const random = this.random('duration');
    return this.createFunction({
      role: 'aggregator',
      network: this.connectTable({
        ...{ items: this.#items, isUncontended },
        durationMs: (items) => drawDurationMs(items, random),
        wrap: (table) => this.#meter.measure(table),
      }),
      environment: environmentOf('aggregator', settings),
      timeoutMs: settings.functionTimeoutMs,
      onStartFailure: (_, error) => {
        throw error;
      },
    });
  }

  /** Schedules Poisson arrivals until the measurement ends. */
  #startTraffic(codes: string[]): void {
    const random = this.random('arrivals');
    const pickRank = createZipf(codes.length, this.random('links'));
    const mintId = this.#createIds();
    const scheduleNext = (afterMs: number) => {
      const atMs = afterMs + random.exponential(1_000 / this.#traffic.clicks);
      if (atMs > this.#endMs) return;
      this.time.after(atMs - this.time.nowMs, () => {
        const code = codes[pickRank()] ?? '';
        this.#send(code, mintId(code));
        scheduleNext(atMs);
      });
    };
    scheduleNext(startMs);
  }

  #createIds(): (code: string) => string {
    const random = this.random('ids');
    const bytes = () => Uint8Array.from({ length: 16 }, () => random.integer(0, 255));
    if (this.#traffic.ids === 'foreign') return () => v4({ random: bytes() });
    const mint = () => Buffer.from(bytes()).toString('base64url');
    const { environments } = this.#traffic;
    const sources = Array.from({ length: environments }, () => createClickIds(1, mint));
    const pick = this.random('environments');
    return (code) => pick.pick(sources)(code).clickId;
  }

  #send(code: string, clickId: string): void {
    const sentMs = this.time.nowMs;
    const at = new Date(sentMs).toISOString();
    this.#auditor.onSent({ click: makeClick(clickId, code, { at }), sentMs });
    const body = JSON.stringify({ detail: { clickId, code, at } });
    this.#pollers.offer({ messageId: `message-${this.#sent++}`, body, sentMs });
  }

  #invoke(clicks: QueuedClick[], done: () => void): void {
    const batch = this.#meter.startBatch(clicks.length);
    this.time.after(clicks.length * parseMs, () => {
      const onEnd = (end: InvocationEnd) => {
        this.#meter.endBatch(batch, end);
        this.#done += clicks.length;
        done();
      };
      const name = `batch-${this.#batches++}`;
      const instance = this.#aggregator.invoke(name, makeSqsEvent(clicks), onEnd);
      this.#meter.onInvoked(instance, batch);
    });
  }
}
