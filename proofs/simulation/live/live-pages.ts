import type { Item } from '../../../fixtures/dynamodb-items.ts';
import type { Random } from '../../../fixtures/random.ts';
import { type Answer, type AwsService, serviceError } from '../aws-service.ts';
import { type ItemStore, keyOf } from '../dynamodb/item-store.ts';
import type { Surroundings } from '../surroundings.ts';
import type { PushAuditor } from './push-auditor.ts';

/** API Gateway closes a connection after two hours. */
const longestMs = 2 * 3_600_000;
const owner = 'a-user';

interface Page {
  id: string;
  codes: Set<string>;
  isOpen: boolean;
  /** Whether API Gateway can never deliver to it. */
  isBroken: boolean;
}

interface LivePagesParts {
  /** The links that can be watched. */
  codes: string[];
  /** Holds connections and watches. */
  items: ItemStore;
  auditor: PushAuditor;
}

/** Open live pages, with API Gateway's `@connections` in front of them. */
export class LivePages implements AwsService {
  readonly #surroundings: Surroundings;
  readonly #parts: LivePagesParts;
  readonly #random: Random;
  readonly #pages = new Map<string, Page>();

  constructor(surroundings: Surroundings, parts: LivePagesParts) {
    this.#surroundings = surroundings;
    this.#parts = parts;
    this.#random = surroundings.random('pages');
  }

  /** A user opens a page, watches some links, watches others, and leaves eventually. */
  comeAndGo(): void {
    const { plan, time } = this.#surroundings;
    const stayMs = Math.ceil(this.#random.exponential(plan.push.stayMs)) + 1;
    // A token may expire long before the page is closed.
    const page = this.open(this.#random.chance(0.3) ? this.#random.fraction() * stayMs : longestMs);
    time.after(this.#random.fraction() * stayMs, () => this.#changeMind(page));
    time.after(stayMs, () => this.#close(page));
  }

  /** Opens a page whose connection ends after this time. */
  open(endsAfterMs = longestMs): Page {
    const { time } = this.#surroundings;
    const { codes, auditor } = this.#parts;
    const id = `connection-${this.#pages.size}`;
    const page: Page = { id, codes: new Set(), isOpen: true, isBroken: this.#random.chance(0.1) };
    this.#pages.set(id, page);
    const ends = Math.ceil((time.nowMs + endsAfterMs) / 1_000);
    auditor.onOpened(id, { endsMs: ends * 1_000, isBroken: page.isBroken });
    this.#store({ ...connectionKey(id), owner: { S: owner }, ttl: { N: `${ends}` } });
    for (const code of codes) if (this.#random.chance(0.7)) this.#watch(page, code, ends);
    return page;
  }

  handle(operation: string, input: unknown, reply: (answer: Answer) => void): void {
    const { time, faults, plan } = this.#surroundings;
    if (operation !== 'PostToConnection') {
      throw new Error(`expected PostToConnection; got ${operation}: teach it to the model`);
    }
    const answer = this.#post(input as { ConnectionId: string; Data: string });
    const isSlow = plan.push.state === 'slow' && !faults.areOver;
    if (isSlow) time.after(this.#random.integer(500, 4_000), () => reply(answer));
    else reply(answer);
  }

  #post({ ConnectionId, Data }: { ConnectionId: string; Data: string }): Answer {
    const { plan, faults } = this.#surroundings;
    const { auditor } = this.#parts;
    const page = this.#pages.get(ConnectionId);
    if (!page?.isOpen) return serviceError(410, 'GoneException', 'the connection is closed');
    const fails = plan.push.state === 'fails' && faults.happens('page not reached', 0.7);
    if (page.isBroken || fails) return serviceError(500, 'InternalServerError', 'not reached');
    auditor.onReceived(ConnectionId, Data);
    return { status: 200, body: '' };
  }

  #changeMind(page: Page): void {
    const { codes, items, auditor } = this.#parts;
    const item = items.get(keyOf(connectionKey(page.id)));
    if (!page.isOpen || !item?.ttl || !('N' in item.ttl)) return;
    for (const code of page.codes) {
      if (!this.#random.chance(0.5)) continue;
      page.codes.delete(code);
      auditor.onUnwatched(page.id, code);
      items.remove(keyOf(watchKey(code, page.id)));
    }
    for (const code of codes)
      if (this.#random.chance(0.3)) this.#watch(page, code, Number(item.ttl.N));
  }

  // Often the disconnect is not reported, and the page's items stay.
  #close(page: Page): void {
    const { items, auditor } = this.#parts;
    page.isOpen = false;
    auditor.onClosed(page.id);
    if (this.#random.chance(0.5)) return;
    items.remove(keyOf(connectionKey(page.id)));
    for (const code of page.codes) items.remove(keyOf(watchKey(code, page.id)));
  }

  #watch(page: Page, code: string, ends: number): void {
    if (page.codes.has(code)) return;
    page.codes.add(code);
    this.#parts.auditor.onWatched(page.id, code);
    const ttl = { N: `${ends}` };
    this.#store({ ...watchKey(code, page.id), owner: { S: owner }, ttl });
    const codes = { SS: [...page.codes] };
    this.#store({ ...connectionKey(page.id), owner: { S: owner }, ttl, codes });
  }

  #store(item: Item): void {
    this.#parts.items.commit(new Map([[keyOf(item), item]]));
  }
}

function connectionKey(id: string): Item {
  return { PK: { S: `CONNECTION#${id}` }, SK: { S: 'CONNECTION' } };
}

function watchKey(code: string, id: string): Item {
  return { PK: { S: `WATCH#${code}` }, SK: { S: `CONNECTION#${id}` } };
}
