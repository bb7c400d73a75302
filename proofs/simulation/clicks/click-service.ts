import type { AttributeValue } from '../../../fixtures/dynamodb-items.ts';
import { currentInvocation, type Instance, type Role } from '../instance.ts';
import type { NetworkParts, readRequest } from '../network.ts';
import type { Sent } from '../sent.ts';
import { apiTimeoutMs, environmentOf, markerLifeMs } from '../stage-settings.ts';
import type { SimulatedService, World } from '../world.ts';
import { type Click, clickOfEvent, clicksOfRequest } from './click.ts';
import { ClickAuditor } from './click-auditor.ts';
import { brokenCodes, ClickTraffic } from './click-traffic.ts';
import { EventBus } from './event-bus.ts';
import { HttpApi } from './http-api.ts';
import { countReported } from './metrics-audit.ts';
import { SpoiltSheets } from './spoilt-sheets.ts';

const dayMs = 86_400_000;
/** Each concurrent request needs an instance, and starting instances dominates a small world's time. */
const createdAtOnce = 8;

/** click-tally in a world: its bus, API, visitors and producers. */
export class ClickService implements SimulatedService {
  readonly auditor: ClickAuditor;
  readonly services: NetworkParts['services'];
  readonly bus: EventBus;
  readonly api: HttpApi;
  readonly spoiltSheets: SpoiltSheets;
  readonly codes: readonly string[];
  readonly #world: World;
  readonly #traffic: ClickTraffic;

  constructor(world: World) {
    const { plan, items, queue } = world;
    this.#world = world;
    this.codes = Array.from({ length: plan.links }, (_, index) => `link-${index}`);
    const hasSheet = (sheet: string) => items.has(sheet, 'CLICK');
    this.auditor = new ClickAuditor(plan.settings, world.now, hasSheet);
    this.bus = new EventBus(
      world,
      queue,
      (click) => this.#onTaken(click),
      (sent) => this.auditor.onLeft(sent),
    );
    this.services = {
      AWSEvents: { name: 'bus', service: this.bus },
      AmazonSQS: { name: 'queue', service: queue },
    };
    this.api = new HttpApi(world, this.auditor.visits);
    this.spoiltSheets = new SpoiltSheets(world);
    this.#traffic = new ClickTraffic(world, this);
  }

  get isIdle(): boolean {
    return this.bus.pending === 0;
  }

  describeFunction(role: Role) {
    const { settings } = this.#world.plan;
    const timeoutMs = role === 'aggregator' ? settings.functionTimeoutMs : apiTimeoutMs;
    return { environment: environmentOf(role, settings), timeoutMs };
  }

  onSend({ role, name }: Instance, { operation, input }: ReturnType<typeof readRequest>): void {
    if (role !== 'resolver') return;
    const visit = currentInvocation.getStore() ?? '';
    for (const click of clicksOfRequest(operation, input)) {
      this.auditor.visits.onSending(visit, name, click);
    }
  }

  // Most lines don't matter, so few are parsed.
  onLog({ role, name }: Instance, line: string): void {
    if (role === 'resolver' && line.includes('Neither the bus nor the queue')) {
      this.api.onUnpublished(JSON.parse(line).event);
    }
    if (role === 'aggregator' && line.startsWith('{"_aws"')) {
      this.auditor.onMetrics(name, countReported(line));
    }
  }

  identify(body: string): Sent {
    return this.#onTaken(clickOfEvent(body));
  }

  deploy(): void {
    this.#world.functionOf('aggregator').deploy();
    this.#world.functionOf('resolver').deploy();
  }

  async start(): Promise<void> {
    const { plan, time } = this.#world;
    await this.createLinks(this.codes);
    for (const code of brokenCodes) this.#storeLink(code, { S: 'many' });
    this.#traffic.start();
    if (plan.seed % 3 === 0) this.#editDuringTraffic(this.codes[0] ?? '');
    if (plan.seed % 2 === 0) time.after(plan.spanMs / 2, () => this.api.createLink('late'));
  }

  /** A link gets another URL, expires, and is revived. */
  #editDuringTraffic(code: string): void {
    const { plan, time } = this.#world;
    const at = (share: number, change: () => object) =>
      time.after(share * plan.spanMs, () => this.api.editLink(code, change()));
    const soon = () => new Date(time.nowMs + 0.2 * plan.spanMs + 6_000).toISOString();
    at(0.2, () => ({ url: `https://example.com/${code}/edited` }));
    at(0.4, () => ({ expiresAt: soon() }));
    at(0.9, () => ({ expiresAt: null }));
  }

  async mend(): Promise<void> {
    await this.createLinks(['late']);
    this.#storeLink('mended', { N: '0' });
    this.spoiltSheets.mend();
    this.#resendUnpublished();
  }

  /** Sends copies of counted clicks, as late as the guarantee permits, and at the ends of their markers. */
  sendLateCopies(): void {
    const { plan } = this.#world;
    const endMs = plan.startMs + markerLifeMs(plan.settings) + dayMs;
    // Later ones outlive this world.
    const counted = this.auditor.countedClicks(100).filter(({ expiryMs }) => expiryMs < endMs);
    this.#traffic.copyLate(counted.filter((_, index) => index % 2 === 0));
    this.#traffic.reuse(counted.filter((_, index) => index % 2 === 1));
  }

  async finish(): Promise<void> {
    await this.#checkStatistics(this.codes[0] ?? '');
  }

  /** Retries until every link exists. */
  async createLinks(codes: readonly string[]): Promise<void> {
    const waiting = codes.values();
    let left = codes.length;
    const createNext = () => {
      const next = waiting.next();
      if (next.done) return;
      this.api.createLink(next.value, () => {
        left -= 1;
        createNext();
      });
    };
    for (let request = 0; request < createdAtOnce; request += 1) createNext();
    await this.#world.time.runUntil(() => left === 0);
  }

  // A link as another tool might write it. If its sum isn't a number, it can't be raised until it is
  // fixed.
  #storeLink(code: string, clicks: AttributeValue): void {
    const url = { S: `https://example.com/${code}` };
    this.#world.storeByHand({ PK: { S: `LINK#${code}` }, SK: { S: 'META' }, url, clicks });
  }

  // Operators send the events that the resolver could only log.
  #resendUnpublished(): void {
    const { queue, time } = this.#world;
    for (const event of this.api.unpublished) {
      const body = JSON.stringify(event);
      const sent = { click: clickOfEvent(body), sentMs: time.nowMs };
      this.auditor.onSent(sent);
      queue.send(body, sent);
    }
  }

  // The service must answer with the stored sums.
  async #checkStatistics(code: string): Promise<void> {
    let isOver = false;
    this.api.readStatistics(code, (body) => {
      this.auditor.checkStatistics(code, body);
      isOver = true;
    });
    await this.#world.time.runUntil(() => isOver);
  }

  #onTaken(click: Click): Sent {
    const sent = { click, sentMs: this.#world.time.nowMs };
    this.auditor.visits.onTaken(click);
    this.auditor.onSent(sent);
    this.#traffic.copyVisit(click);
    return sent;
  }
}
