import { v4 } from 'uuid';
import { createRandom, type Random } from '../../fixtures/random.ts';
import { makeSqsEvent } from '../../fixtures/sqs-events.ts';
import { createClickIds } from '../../lib/clicks/click-id.ts';
import { linkKey } from '../../lib/keys.ts';
import { createZipf } from '../tools/zipf.ts';
import type { AwsService } from './aws-service.ts';
import type { FunctionCode } from './compiled-code.ts';
import { type Batch, ContentionMeter, type Measurement, type Message } from './contention-meter.ts';
import { DynamoDb } from './dynamodb/dynamodb.ts';
import { ItemStore, keyOf } from './dynamodb/item-store.ts';
import type { TransactWriteItem } from './dynamodb/transaction.ts';
import { Faults } from './faults.ts';
import { LambdaFunction, type Outcome } from './lambda.ts';
import { Network } from './network.ts';
import { Pollers } from './pollers.ts';
import { environmentOf, type Settings } from './settings.ts';
import { Statistics } from './statistics.ts';
import { Trace } from './trace.ts';
import { drawDurationMs } from './transaction-duration.ts';
import { VirtualTime } from './virtual-time.ts';
import { drawPlan } from './world-plan.ts';

export interface ContentionPlan {
  seed: number;
  settings: Settings;
  /** The resolver's own ids have a place on a sheet; a foreign producer's are UUIDs. */
  ids: 'placed' | 'foreign';
  clicksPerSecond: number;
  /** Clicked by Zipf's law, s = 1. */
  links: number;
  /** Execution environments of the resolver; any of them mints a click's id. */
  environments: number;
  pollers: number;
  warmUpMs: number;
  measuredMs: number;
  /** Transactions on one item do not meet, so what retries add can be told. */
  isUncontended?: boolean;
}

const startMs = Date.UTC(2026, 4, 26, 10);

/** How long an invocation computes before it commits, a click. */
const parseMs = 0.05;

/** Sends traffic through the deployed aggregator, without faults, and measures what it commits. */
export async function measureContention(
  plan: ContentionPlan,
  code: FunctionCode,
): Promise<Measurement> {
  const world = new ContentionWorld(plan, code);
  return world.run();
}

class ContentionWorld {
  readonly #plan: ContentionPlan;
  readonly #time = new VirtualTime(startMs);
  readonly #items: ItemStore;
  readonly #meter: ContentionMeter;
  readonly #aggregator: LambdaFunction;
  readonly #pollers: Pollers<Message>;
  /** The batch that an instance works on, by its name. */
  readonly #running = new Map<string, Batch>();
  #sent = 0;
  #done = 0;
  #batches = 0;

  constructor(plan: ContentionPlan, code: FunctionCode) {
    this.#plan = plan;
    const { settings, pollers, warmUpMs, measuredMs } = plan;
    const time = this.#time;
    this.#items = new ItemStore(
      this.#random('table'),
      () => time.nowMs,
      () => {},
    );
    this.#meter = new ContentionMeter(startMs + warmUpMs, startMs + warmUpMs + measuredMs);
    this.#aggregator = this.#createAggregator(code);
    this.#pollers = new Pollers({
      ...{ count: pollers, settings, time, random: this.#random('pollers') },
      invoke: (messages, done) => this.#invoke(messages, done),
    });
  }

  async run(): Promise<Measurement> {
    const { links, warmUpMs, measuredMs } = this.#plan;
    const codes = Array.from({ length: links }, (_, rank) => `link-${rank}`);
    for (const code of codes) {
      const { PK, SK } = linkKey(code);
      const item = { PK: { S: PK }, SK: { S: SK }, url: { S: 'https://example.com' } };
      this.#items.commit(new Map([[keyOf(item), { ...item, clicks: { N: '0' } }]]));
    }
    const sentByCode = this.#startTraffic(codes);
    await this.#time.pass(warmUpMs + measuredMs);
    await this.#time.runUntil(() => this.#done === this.#sent);
    return this.#meter.report(sentByCode, this.#items.scan());
  }

  #random(name: string): Random {
    return createRandom(this.#plan.seed, name);
  }

  #createAggregator(code: FunctionCode): LambdaFunction {
    const { seed, settings } = this.#plan;
    const time = this.#time;
    const now = () => time.nowMs;
    const [statistics, trace] = [new Statistics(), new Trace(now)];
    const faults = new Faults({ plan: drawPlan(seed), now, statistics, trace });
    faults.end();
    const service = this.#createTable(faults, statistics);
    const network = new Network({
      ...{ time, faults, trace, random: this.#random('network') },
      services: { DynamoDB_20120810: { name: 'table', service } },
      onSend: () => {},
    });
    return new LambdaFunction({
      ...{ role: 'aggregator', code, seed, time, faults, statistics, trace, network },
      environment: environmentOf('aggregator', settings),
      timeoutMs: settings.functionTimeoutMs,
      onLog: () => {},
      onStartFailure: (_, error) => {
        throw error;
      },
    });
  }

  #createTable(faults: Faults, statistics: Statistics): AwsService {
    const { isUncontended = false } = this.#plan;
    const random = this.#random('duration');
    const table = new DynamoDb({
      ...{ items: this.#items, time: this.#time, faults, statistics },
      ...{ random: this.#random('dynamodb'), throttleRate: 0, bareRefusalShare: 0 },
      durationMs: (items) => drawDurationMs(items, random),
      isUncontended,
    });
    const charge = createCharge(statistics);
    return {
      handle: (operation, input, reply, { name }) =>
        table.handle(operation, input, (answer) => {
          const batch = this.#running.get(name);
          const { TransactItems } = input as { TransactItems?: TransactWriteItem[] };
          const charged = { status: answer.status, units: charge() };
          if (batch && TransactItems) {
            this.#meter.onAnswer(batch, TransactItems, charged, this.#time.nowMs);
          }
          reply(answer);
        }),
    };
  }

  /** Schedules Poisson arrivals until the measurement ends; returns how many each link gets. */
  #startTraffic(codes: string[]): Map<string, number> {
    const { clicksPerSecond, warmUpMs, measuredMs } = this.#plan;
    const sentByCode = new Map<string, number>();
    const random = this.#random('arrivals');
    const pickRank = createZipf(codes.length, this.#random('links'));
    const mintId = this.#createIds();
    const endMs = startMs + warmUpMs + measuredMs;
    const scheduleNext = (afterMs: number) => {
      const atMs = afterMs + random.exponential(1_000 / clicksPerSecond);
      if (atMs > endMs) return;
      this.#time.after(atMs - this.#time.nowMs, () => {
        const code = codes[pickRank()] ?? '';
        sentByCode.set(code, (sentByCode.get(code) ?? 0) + 1);
        this.#send(code, mintId(code));
        scheduleNext(atMs);
      });
    };
    scheduleNext(startMs);
    return sentByCode;
  }

  #createIds(): (code: string) => string {
    const random = this.#random('ids');
    const pick = this.#random('environments');
    const bytes = () => Uint8Array.from({ length: 16 }, () => random.integer(0, 255));
    if (this.#plan.ids === 'foreign') return () => v4({ random: bytes() });
    const mint = () => Buffer.from(bytes()).toString('base64url');
    const sources = Array.from({ length: this.#plan.environments }, () => createClickIds(1, mint));
    return (code) => pick.pick(sources)(code).clickId;
  }

  #send(code: string, clickId: string): void {
    const sentMs = this.#time.nowMs;
    this.#pollers.offer({
      id: `message-${this.#sent++}`,
      body: JSON.stringify({ detail: { clickId, code, at: new Date(sentMs).toISOString() } }),
      sentMs,
    });
  }

  #invoke(messages: Message[], done: () => void): void {
    const batch = this.#meter.startBatch(messages, this.#time.nowMs);
    const event = makeSqsEvent(
      messages.map(({ id, body, sentMs }) => ({ messageId: id, body, sentMs })),
    );
    this.#time.after(messages.length * parseMs, () => {
      const onOutcome = (outcome: Outcome) => {
        this.#meter.endBatch(batch, outcome, this.#time.nowMs);
        this.#done += messages.length;
        done();
      };
      const name = this.#aggregator.invoke(`batch-${this.#batches++}`, event, onOutcome);
      this.#running.set(name, batch);
    });
  }
}

/** Tells the write units that DynamoDB has charged since the last call. */
function createCharge({ totals }: Statistics): () => number {
  let told = 0;
  return () => {
    const all =
      (totals['write units'] ?? 0) + (totals['write units of cancelled transactions'] ?? 0);
    const units = all - told;
    told = all;
    return units;
  };
}
