import { Auditor } from './auditor.ts';
import { type Click, clickOfEvent, clicksOfRequest, type Sent } from './click.ts';
import type { FunctionCode } from './compiled-code.ts';
import type { Change } from './dynamodb/item-store.ts';
import { EventBus } from './event-bus.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import { HttpApi } from './http-api.ts';
import { type CountingRole, countingRoles, currentInvocation, type Instance } from './instance.ts';
import type { LambdaFunction } from './lambda.ts';
import { LiveWorld } from './live/live-world.ts';
import { countReported } from './metrics.ts';
import type { readRequest } from './network.ts';
import type { Message } from './queue.ts';
import { apiTimeoutMs, environmentOf } from './settings.ts';
import { SpoiltSheets } from './spoilt-sheets.ts';
import { Traffic, type TrafficParts } from './traffic.ts';
import { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

/** The world of the service: the functions that count, and visitors, a bus and the live page around. */
export class ClicksWorld extends World {
  readonly auditor: Auditor;
  readonly bus: EventBus;
  readonly functions: Record<CountingRole, LambdaFunction>;
  readonly mapping: EventSourceMapping;
  readonly api: HttpApi;
  readonly spoiltSheets: SpoiltSheets;
  /** The messages whose failure the aggregator has explained in its log. */
  readonly explained = new Set<string>();
  /** What is behind the table's stream, if anything is. */
  readonly live?: LiveWorld;
  #traffic?: Traffic;

  constructor(plan: WorldPlan, code: FunctionCode, write?: (line: string) => void) {
    super(plan, write);
    const now = () => this.time.nowMs;
    this.auditor = new Auditor(plan.settings, now, (sheet) => this.items.has(sheet, 'CLICK'));
    this.bus = this.#createBus();
    this.functions = this.#createFunctions(code);
    const { aggregator } = this.functions;
    this.mapping = this.createMapping({
      aggregator,
      onDelivered: ({ sent }) =>
        this.statistics.add('duplicates', Number(this.auditor.isCounted(sent))),
      onInvoked: (instance, batch) => this.auditor.onInvoked(instance, batch.length),
      onFaultFreeFailure: (message) => this.auditor.onFaultFreeFailure(message),
    });
    this.api = new HttpApi(this, this.random('visitors'));
    this.spoiltSheets = new SpoiltSheets(this, this.random('spoilt pages'));
    if (plan.push.state !== 'absent') this.live = new LiveWorld(this, code);
  }

  /** Sends clicks, and all that goes with them. */
  createTraffic(links: Pick<TrafficParts, 'codes' | 'strays' | 'broken'>): Traffic {
    const { plan, time, bus, queue, auditor, api } = this;
    const [random, values] = [this.random('traffic'), this.random('values')];
    this.#traffic = new Traffic({
      ...{ plan, time, bus, queue, ...links, random, values },
      visit: (code) => api.visit(code),
      spoilSheet: (id) => this.spoiltSheets.spoil(id),
      onSent: (sent) => auditor.onSent(sent),
    });
    return this.#traffic;
  }

  override deploy(): void {
    super.deploy();
    this.live?.deploy();
  }

  override async endFaults(): Promise<void> {
    await super.endFaults();
    this.live?.onFaultsEnded();
  }

  protected override get deployed(): LambdaFunction[] {
    return [this.functions.aggregator, this.functions.resolver];
  }

  protected override get isQuiet(): boolean {
    return this.bus.pending === 0;
  }

  protected override isGood({ sent }: Message): boolean {
    return this.auditor.isCountable(sent);
  }

  protected override identify(body: string): Sent {
    return this.#onTaken(clickOfEvent(body));
  }

  protected override onCommit(changes: Change[]): void {
    super.onCommit(changes);
    this.live?.onCommit(changes);
  }

  protected override onStoredByHand(stored: Change[]): void {
    super.onStoredByHand(stored);
    this.live?.onCommit(stored);
  }

  #createBus(): EventBus {
    const { time, faults, queue, plan } = this;
    const { busRetryMs, deadLetterRetentionMs } = plan.settings;
    return new EventBus({
      ...{ time, faults, queue, random: this.random('bus') },
      maxLateMs: plan.isLong ? busRetryMs + deadLetterRetentionMs : 60_000,
      onTaken: (click) => this.#onTaken(click),
    });
  }

  #createFunctions(code: FunctionCode): Record<CountingRole, LambdaFunction> {
    const { settings } = this.plan;
    const network = this.createNetwork(
      {
        AWSEvents: { name: 'bus', service: this.bus },
        AmazonSQS: { name: 'queue', service: this.queue },
      },
      (...sent) => this.#onSend(...sent),
    );
    const create = (role: CountingRole) => {
      const timeoutMs = role === 'aggregator' ? settings.functionTimeoutMs : apiTimeoutMs;
      const onLog = (instance: Instance, line: string) => this.#onLog(instance, line);
      const environment = environmentOf(role, settings);
      return this.createFunction({ role, network, environment, timeoutMs, onLog }, code);
    };
    const created = Object.fromEntries(countingRoles.map((role) => [role, create(role)]));
    return created as Record<CountingRole, LambdaFunction>;
  }

  #onSend(caller: Instance, { operation, input }: ReturnType<typeof readRequest>): void {
    if (caller.role !== 'resolver') return;
    const visit = currentInvocation.getStore() ?? '';
    for (const click of clicksOfRequest(operation, input)) {
      this.auditor.visits.onSending(visit, caller.name, click);
    }
  }

  #onTaken(click: Click): Sent {
    const sent = { click, sentMs: this.time.nowMs };
    this.auditor.visits.onTaken(click);
    this.auditor.onSent(sent);
    this.#traffic?.copyVisit(click);
    return sent;
  }

  // Most lines are of no interest, so few are parsed.
  #onLog(instance: Instance, line: string): void {
    this.trace.note(() => `${instance.name} logs: ${line}`);
    if (instance.role === 'resolver' && line.includes('"queueError"')) {
      this.api.onUnpublished(JSON.parse(line).event);
    }
    if (instance.role !== 'aggregator') return;
    if (line.startsWith('{"_aws"')) this.auditor.onMetrics(instance.name, countReported(line));
    else if (line.includes('"reason"')) {
      const [, messageId] = /"messageId":"([^"]+)"/.exec(line) ?? [];
      if (messageId) this.explained.add(messageId);
    }
  }
}
