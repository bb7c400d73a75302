import type { Random } from '../../../fixtures/random.ts';
import type { Sent } from '../sent.ts';
import type { World } from '../world.ts';
import { lateCopiesAfterMs } from '../world-plan.ts';
import type { Detail } from './breakdowns.ts';
import { type Click, makeClick } from './click.ts';
import type { ClickAuditor } from './click-auditor.ts';
import { drawDetail } from './click-details.ts';
import type { EventBus } from './event-bus.ts';
import type { HttpApi } from './http-api.ts';
import { PlacedIds } from './placed-ids.ts';
import type { SpoiltSheets } from './spoilt-sheets.ts';

const dayMs = 86_400_000;
/** The share of clicks whose id is also used for another click. */
const changedShare = 0.01;
/** The share of placed clicks that are sent together with a similar id. */
const lookAlikeShare = 0.03;
/** The mean delay of a click's copies. */
const shortMs = [5, 1_000, 30_000];
const longMs = [1_000, dayMs / 4, dayMs];

/** How long before or after its marker's expiry an id is used again. */
const aroundMs = 1.5 * dayMs;

/** Codes of links that are created late or never. */
const strays = ['late', 'absent'];
/** Codes of links whose sum isn't a number, temporarily or permanently. */
export const brokenCodes = ['mended', 'broken'];

interface Counted {
  click: Click;
  /** When its marker expires. */
  expiryMs: number;
}

interface Service {
  bus: EventBus;
  api: HttpApi;
  spoiltSheets: SpoiltSheets;
  auditor: ClickAuditor;
  /** Links that exist from the start. The first gets the most clicks. */
  codes: readonly string[];
}

/** Sends a world's traffic: visits, clicks of other producers, copies, and poison. */
export class ClickTraffic {
  readonly #service: Service;
  readonly #world: World;
  readonly #random: Random;
  /** Draws the details of clicks. */
  readonly #values: Random;
  readonly #placedIds: PlacedIds;
  #sequence = 0;

  constructor(world: World, service: Service) {
    this.#service = service;
    this.#world = world;
    this.#random = world.random('traffic');
    this.#values = world.random('values');
    this.#placedIds = new PlacedIds(this.#random, world.plan.placedProducers);
  }

  /** Schedules all traffic. */
  start(): void {
    const { plan, time } = this.#world;
    for (let left = plan.clicks; left > 0; ) {
      const size = this.#random.chance(plan.burstShare)
        ? Math.min(left, this.#random.integer(2, 300))
        : 1;
      time.after(this.#random.fraction() * plan.spanMs, () => {
        if (size === 1) this.#sendOne();
        else this.#sendBurst(size);
      });
      left -= size;
    }
    for (const afterMs of plan.spoilAfterMs) {
      time.after(afterMs, () => this.#service.spoiltSheets.spoil(this.#placedIds.near()));
    }
  }

  /** Other producers may resend a visit's click, or send another click with its id. */
  copyVisit(click: Click): void {
    const { plan, queue } = this.#world;
    if (this.#random.chance(plan.resendShare)) {
      this.#later(() => queue.send(bareBody(click), this.#note(click)));
    }
    if (this.#random.chance(changedShare)) this.#later(() => this.#sendChanged(click));
  }

  /** Sends copies of counted clicks as late as the guarantee permits. */
  copyLate(counted: readonly Counted[]): void {
    const { plan, queue, time } = this.#world;
    for (const { click } of counted) {
      const send = () => queue.send(bareBody(click), this.#note(click));
      time.after(plan.startMs + lateCopiesAfterMs - time.nowMs, send);
    }
  }

  /**
   * Uses ids again at the ends of their markers: half of them before, the others after. Three copies at
   * a time, so that invocations meet at a marker.
   */
  reuse(counted: readonly Counted[]): void {
    const { queue, time } = this.#world;
    for (const { click, expiryMs } of counted) {
      const sinceMs = this.#random.integer(2_000, aroundMs) * (this.#random.chance(0.5) ? 1 : -1);
      const send = () => {
        const sent = { click, sentMs: time.nowMs, isReuse: true };
        this.#service.auditor.onSent(sent);
        queue.send(bareBody(click), sent);
      };
      for (let copy = 0; copy < 3; copy += 1) {
        time.after(expiryMs + sinceMs + this.#random.integer(0, 100) - time.nowMs, send);
      }
    }
  }

  #sendOne(): void {
    const { plan } = this.#world;
    const code = this.#pickCode();
    if (this.#random.chance(plan.poisonShare)) this.#sendPoison(code);
    else if (this.#random.chance(plan.visitShare)) this.#service.api.visit(code);
    else this.#sendClick(code);
  }

  #sendClick(code: string): void {
    const { plan } = this.#world;
    if (this.#random.chance(plan.placedShare)) {
      for (const id of this.#placedIds.mint(1)) this.#sendPlaced(id, code);
      return;
    }
    const click = makeClick(`click-${this.#sequence}`, code, this.#drawDetail());
    this.#sequence += 1;
    this.#random
      .pick([this.#sendToBus, this.#sendBare, this.#sendWithoutClickId])
      .call(this, click);
  }

  // Sequential places, so that invocations share sheets.
  #sendBurst(size: number): void {
    for (const id of this.#placedIds.mint(size)) this.#sendPlaced(id, this.#pickCode());
  }

  #sendPlaced(id: string, code: string): void {
    const click = makeClick(id, code, this.#drawDetail());
    this.#random.pick([this.#sendToBus, this.#sendBare]).call(this, click);
    if (!this.#random.chance(lookAlikeShare)) return;
    this.#sendBare({ ...click, id: this.#placedIds.lookAlike(id) });
  }

  #drawDetail(): Detail {
    const { time } = this.#world;
    const ageMs = this.#random.chance(0.1) ? this.#random.integer(0, 5 * dayMs) : 0;
    return drawDetail(this.#values, time.nowMs - ageMs);
  }

  #pickCode(): string {
    const { plan } = this.#world;
    const { codes } = this.#service;
    if (this.#random.chance(plan.strayShare)) return this.#random.pick(strays);
    if (this.#random.chance(plan.brokenShare)) return this.#random.pick(brokenCodes);
    return this.#random.pick(this.#random.chance(0.5) ? codes.slice(0, 1) : codes);
  }

  // A producer that mints an id may resend its event, which gets another event id from the bus.
  #sendToBus(click: Click): void {
    const detail = JSON.stringify({ clickId: click.id, code: click.code, ...click.detail });
    const event = { source: 'click-tally', detailType: 'link.clicked', detail };
    this.#repeat(() => this.#service.bus.put(event, () => this.#note(click)));
    if (this.#random.chance(changedShare)) this.#sendChanged(click);
  }

  #sendBare(click: Click): void {
    this.#repeat(() => this.#world.queue.send(bareBody(click), this.#note(click)));
  }

  #sendWithoutClickId(click: Click): void {
    const detail = JSON.stringify({ code: click.code, ...click.detail });
    const event = { source: 'click-tally', detailType: 'link.clicked', detail };
    this.#service.bus.put(event, (id) => this.#note({ ...click, id }));
  }

  // The same id with another day or link. Only one of the two can be counted.
  #sendChanged({ id, code, detail }: Click): void {
    const { queue } = this.#world;
    const { codes } = this.#service;
    const yesterday = new Date(Date.parse(detail.at) - dayMs).toISOString();
    const changed = this.#random.pick([
      makeClick(id, code, { ...detail, at: yesterday }),
      makeClick(id, this.#random.pick(codes), detail),
    ]);
    queue.send(bareBody(changed), this.#note(changed));
  }

  #sendPoison(code: string): void {
    const { queue, time } = this.#world;
    const id = `poison-${this.#sequence++}`;
    const at = new Date(time.nowMs).toISOString();
    const body = this.#random.pick([
      '',
      '{',
      '[]',
      JSON.stringify({ id, detail: { at } }),
      JSON.stringify({ id, detail: { code } }),
      JSON.stringify({ id, detail: { code, at: 'today' } }),
      JSON.stringify({ id, detail: { code: `${code}/`, at } }),
      JSON.stringify({ detail: { code, at } }),
      JSON.stringify({ id: 'x'.repeat(257), detail: { code, at } }),
      JSON.stringify({
        id,
        detail: { code, at: new Date(time.nowMs + 400 * dayMs).toISOString() },
      }),
    ]);
    queue.send(body, { sentMs: time.nowMs });
  }

  #repeat(send: () => void): void {
    const { plan } = this.#world;
    send();
    while (this.#random.chance(plan.resendShare)) this.#later(send);
  }

  #later(action: () => void): void {
    const { plan, time } = this.#world;
    const delayMs = this.#random.exponential(this.#random.pick(plan.isLong ? longMs : shortMs));
    time.after(Math.min(delayMs, plan.settings.busRetryMs), action);
  }

  #note(click: Click): Sent {
    const sent = { click, sentMs: this.#world.time.nowMs };
    this.#service.auditor.onSent(sent);
    return sent;
  }
}

function bareBody({ id, code, detail }: Click): string {
  return JSON.stringify({ id, detail: { code, ...detail } });
}
