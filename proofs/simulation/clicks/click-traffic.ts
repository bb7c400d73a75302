import { createClickIds } from '../../../lib/clicks/click-id.ts';
import type { Random } from '../../tools/random.ts';
import type { Queue } from '../queue.ts';
import { lateCopiesAfterMs } from '../world-plan.ts';
import { type Click, makeClick, type Part, type Sent } from './click.ts';
import { drawCampaign, drawDetail, drawVisitor } from './drawn-details.ts';
import type { EventBus } from './event-bus.ts';
import { followLink, type VisitedWorld } from './visit.ts';

const dayMs = 86_400_000;
/** The share of clicks whose id is also used for another click. */
const changedShare = 0.01;
/** The mean delay of a click's copies. */
const shortMs = [5, 1_000, 30_000];
const longMs = [1_000, dayMs / 4, dayMs];
const maxParts = 20;
const burstClicks = 8;
/** Codes of links that are created late or never. */
const strays = ['late', 'absent'];

interface TrafficWorld extends VisitedWorld {
  bus: EventBus;
  queue: Queue;
  /** Links that exist from the start. The first gets the most clicks. */
  codes: readonly string[];
}

/** Sends a world's traffic: visits, clicks of other producers, copies, and invalid messages. */
export class ClickTraffic {
  readonly #world: TrafficWorld;
  readonly #random: Random;
  readonly #campaigns: Random;
  readonly #visitors: Random;
  /** Producers whose ids have slots on sheets, like the resolver's. */
  readonly #mints: ((code: string) => string)[];
  #sequence = 0;

  constructor(world: TrafficWorld) {
    this.#world = world;
    this.#random = world.random('traffic');
    this.#campaigns = world.random('campaigns');
    this.#visitors = world.random('visitors');
    this.#mints = Array.from({ length: this.#random.pick([1, 3, 10]) }, () => {
      const mint = createClickIds(1, () => this.#drawSeed());
      return (code) => mint(code).clickId;
    });
  }

  /** Schedules all traffic. */
  start(): void {
    const { plan, time } = this.#world;
    for (let left = plan.clicks; left > 0; left -= 1) {
      time.after(this.#random.fraction() * plan.spanMs, () => this.#sendOne());
    }
    for (const afterMs of plan.visitsAfterMs)
      time.after(afterMs, () => this.#visit(this.#pickCode()));
  }

  /** Other producers send clicks of a link at once, some of them late. */
  sendBurst(code: string): void {
    for (let left = burstClicks; left > 0; left -= 1) this.#sendClick(code);
  }

  /** Other producers may resend a visit's click, or send another click with its id. */
  copyVisit(click: Click): void {
    const { plan } = this.#world;
    if (this.#random.chance(plan.resendShare)) this.#later(() => this.#enqueue(click));
    if (this.#random.chance(changedShare)) this.#later(() => this.#sendChanged(click));
  }

  /** Sends copies of counted clicks as late as the guarantee permits. */
  copyLate(clicks: readonly Click[]): void {
    const { plan, time } = this.#world;
    const delayMs = plan.startMs + lateCopiesAfterMs - time.nowMs;
    for (const click of clicks) time.after(delayMs, () => this.#enqueue(click));
  }

  #sendOne(): void {
    const { plan } = this.#world;
    const code = this.#pickCode();
    if (this.#random.chance(plan.envelopeShare)) this.#sendEnvelope();
    else if (this.#random.chance(plan.invalidShare)) this.#sendInvalid(code);
    else if (this.#random.chance(plan.visitShare)) this.#visit(code);
    else this.#sendClick(code);
  }

  #visit(code: string): void {
    const visit = `visit-${this.#sequence++}`;
    const query = new URLSearchParams(this.#drawCampaign()).toString();
    followLink(this.#world, { visit, code, query, visitor: this.#sequence });
  }

  #sendClick(code: string): void {
    const hasSlot = this.#random.chance(this.#world.plan.placedShare);
    const click = this.#drawClick(code, hasSlot);
    const ways = [this.#sendToBus, this.#sendBare, this.#sendWithoutClickId];
    this.#random.pick(hasSlot ? ways.slice(0, 2) : ways).call(this, click);
  }

  #drawClick(code: string, hasSlot: boolean): Click {
    const id = hasSlot ? this.#random.pick(this.#mints)(code) : `click-${this.#sequence++}`;
    const detail = drawDetail(this.#random, this.#world.time.nowMs);
    const visitor = drawVisitor(this.#visitors, this.#world.plan.visitors);
    return makeClick(id, code, { ...detail, ...this.#drawCampaign(), ...visitor });
  }

  #drawCampaign(): Record<string, string> {
    return drawCampaign(this.#campaigns, this.#world.plan.campaignValues);
  }

  // A producer may send the clicks again in other envelopes, or alone.
  #sendEnvelope(): void {
    const drawn = Array.from({ length: this.#random.integer(1, maxParts) }, () => this.#drawPart());
    this.#repeat(() => {
      const some = drawn.filter(() => this.#random.chance(0.9));
      this.#putEnvelope(this.#random.chance(0.1) ? [...some, ...some] : some);
    });
    for (const { click } of drawn) {
      if (click && this.#random.chance(changedShare)) this.#sendChanged(click);
      if (click && this.#random.chance(changedShare)) this.#later(() => this.#enqueue(click));
    }
  }

  #drawPart(): Omit<Part, 'sentMs'> {
    const { plan, time } = this.#world;
    const code = this.#pickCode();
    if (!this.#random.chance(plan.invalidShare)) {
      const click = this.#drawClick(code, this.#random.chance(plan.placedShare));
      return { click, detail: detailOf(click) };
    }
    const clickId = `invalid-${this.#sequence++}`;
    const at = new Date(time.nowMs).toISOString();
    const invalid = [{ clickId, at }, { clickId, code, at: 'today' }, { code, at }, clickId, null];
    return { detail: JSON.stringify(this.#random.pick(invalid)) };
  }

  #putEnvelope(drawn: readonly Omit<Part, 'sentMs'>[]): void {
    if (drawn.length === 0) return;
    const note = () => {
      const { nowMs: sentMs } = this.#world.time;
      const sent = { sentMs, parts: drawn.map((part) => ({ ...part, sentMs })) };
      this.#world.auditor.onSent(sent);
      return sent;
    };
    const detail = `{"clicks":[${drawn.map((part) => part.detail)}]}`;
    if (this.#random.chance(0.5)) this.#world.bus.put(detail, note);
    else this.#world.queue.send(`{"detail":${detail}}`, note());
  }

  #pickCode(): string {
    const { codes } = this.#world;
    if (this.#random.chance(this.#world.plan.strayShare)) return this.#random.pick(strays);
    return this.#random.pick(this.#random.chance(0.5) ? codes.slice(0, 1) : codes);
  }

  // A producer that mints an id may resend its event, which gets another event id from the bus.
  #sendToBus(click: Click): void {
    this.#repeat(() => this.#world.bus.put(detailOf(click), () => this.#note(click)));
    if (this.#random.chance(changedShare)) this.#sendChanged(click);
  }

  #sendBare(click: Click): void {
    this.#repeat(() => this.#enqueue(click));
  }

  #sendWithoutClickId(click: Click): void {
    const detail = JSON.stringify({ code: click.code, ...click.detail });
    this.#world.bus.put(detail, (id) => this.#note({ ...click, id }));
  }

  // The same id with another day or link. Only one of the two can be counted.
  #sendChanged({ id, code, detail }: Click): void {
    const yesterday = new Date(Date.parse(detail.at) - dayMs).toISOString();
    const changed = this.#random.pick([
      makeClick(id, code, { ...detail, at: yesterday }),
      makeClick(id, this.#random.pick(this.#world.codes), detail),
    ]);
    this.#enqueue(changed);
  }

  #sendInvalid(code: string): void {
    const { time } = this.#world;
    const id = `invalid-${this.#sequence++}`;
    const at = new Date(time.nowMs).toISOString();
    const body = this.#random.pick([
      '{',
      JSON.stringify({ id, detail: { at } }),
      JSON.stringify({ id, detail: { code, at: 'today' } }),
      JSON.stringify({ detail: { code, at } }),
    ]);
    this.#world.queue.send(body, { sentMs: time.nowMs });
  }

  #repeat(send: () => void): void {
    send();
    while (this.#random.chance(this.#world.plan.resendShare)) this.#later(send);
  }

  #later(action: () => void): void {
    const { plan, time } = this.#world;
    const delayMs = this.#random.exponential(this.#random.pick(plan.isLong ? longMs : shortMs));
    time.after(Math.min(delayMs, plan.settings.busRetryMs), action);
  }

  #enqueue(click: Click): void {
    const { id, code, detail } = click;
    const body = JSON.stringify({ id, detail: { code, ...detail } });
    this.#world.queue.send(body, this.#note(click));
  }

  #note(click: Click): Sent {
    const sent = { click, sentMs: this.#world.time.nowMs };
    this.#world.auditor.onSent(sent);
    return sent;
  }

  #drawSeed(): string {
    const bytes = Uint8Array.from({ length: 16 }, () => this.#random.integer(0, 255));
    return Buffer.from(bytes).toString('base64url');
  }
}

function detailOf({ id, code, detail }: Click): string {
  return JSON.stringify({ clickId: id, code, ...detail });
}
