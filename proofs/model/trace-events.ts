import { placeOf } from '../simulation/clicks/sheet-ledger.ts';
import type { RecordedEvent } from './recorded-event.ts';

/** How many of each kind a recorded world may have at a time. */
export const traceBounds = {
  ...{ MESSAGES: 64, CLICKS: 32, CONSUMERS: 32, BATCH: 16, REQUESTS: 48, KEYS: 32 },
  ...{ COPIES: 255, RECEIVES: 255, EARLY: 0, EVICTS: 1 },
  // Queues are not the code's, so they may keep messages for as long as they like.
  ...{ BUS: 0, QUEUE: 1_000_000_000, DEAD_LETTER: 0, LIFE: 'life' },
};
const pools = {
  message: traceBounds.MESSAGES,
  click: traceBounds.CLICKS,
  invocation: traceBounds.CONSUMERS,
  instance: traceBounds.CONSUMERS,
  token: traceBounds.REQUESTS,
  code: 12,
  day: 12,
  sheet: 24,
};
type Pool = keyof typeof pools;
const none = 255;

/** The steps of one world. */
export class Trace {
  readonly #events: RecordedEvent[] = [];

  add(timeMs: number, kind: string, values: RecordedEvent['values']): RecordedEvent {
    const event = { timeMs, kind, values };
    this.#events.push(event);
    return event;
  }

  encode(): Recorded {
    const names = new Names(this.#events);
    const startMs = this.#events[0]?.timeMs ?? 0;
    const lines: string[] = [];
    const texts: string[] = [];
    const used = new Set(this.#events.map(({ values }) => values.click?.code));
    for (const [index, event] of this.#events.entries()) {
      if (event.kind === 'LINK' && !used.has(event.values.code)) continue;
      const seconds = Math.ceil(event.timeMs / 1_000) - Math.floor(startMs / 1_000);
      const add = (kind: string, ...args: number[]) => {
        const numbers = [seconds, kinds.indexOf(kind) + 1, ...args, 0, 0, 0, 0, 0, 0];
        lines.push(numbers.slice(0, 8).join(' '));
        texts.push(`${seconds} s: ${event.kind} ${JSON.stringify(event.values)}`);
      };
      const numberOf = (pool: Pool, name?: string) => names.numberOf(pool, name, add);
      add(event.kind, ...argumentsOf(event, numberOf, startMs));
      names.release(index);
    }
    return { lines, texts, isTooLarge: names.isTooLarge };
  }
}

/** The steps of a world, as trace.pml reads them and as a person does. */
export interface Recorded {
  lines: string[];
  texts: string[];
  /** It has more of something at a time than the bounds allow. */
  isTooLarge: boolean;
}

type Add = (kind: string, ...args: number[]) => void;

/** The numbers in trace-bounds.pml. */
const kinds = [
  ...['CLICK', 'LINK', 'HOST', 'ENQUEUE', 'START', 'RECEIVE', 'SEND', 'RETRY', 'DROP', 'COMMIT'],
  ...['REPLAY', 'CANCEL', 'FINISH', 'DELETE', 'DIE', 'TOTAL', 'COUNT', 'LIVES', 'SETTINGS'],
];

/** Definitions of the kinds for the model. */
export const kindDefines = Object.fromEntries(kinds.map((kind, index) => [kind, index + 1]));

function argumentsOf(
  { kind, values }: RecordedEvent,
  number: (pool: Pool, name?: string) => number,
  startMs: number,
): number[] {
  const { message, click, invocation, instance, token, code, day, sheet, positions } = values;
  const plain = values.number ?? 0;
  const heard = Number(values.isHeard ?? false);
  const { shown, bare, refused, contended } = values.refusals ?? {};
  switch (kind) {
    case 'LINK':
    case 'TOTAL':
      return [number('code', code), plain];
    case 'COUNT':
      return [number('code', code), number('day', day), plain];
    case 'ENQUEUE': {
      const ofClick = number('click', click?.id);
      const payload = [number('code', click?.code), number('day', click?.day)];
      return [number('message', message), ofClick, ...payload];
    }
    case 'START':
      return [number('invocation', invocation), number('instance', instance)];
    case 'RECEIVE':
      return [number('message', message), number('invocation', invocation), plain];
    case 'SEND':
      return [number('token', token), number('invocation', invocation), toMask(positions)];
    case 'RETRY':
      return [number('token', token), number('invocation', invocation)];
    case 'DROP':
    case 'COMMIT':
    case 'REPLAY':
      return [number('token', token), heard];
    case 'CANCEL':
      return [number('token', token), heard, ...[shown, bare, refused, contended].map(toMask)];
    case 'FINISH':
      return [number('invocation', invocation), toMask(positions)];
    case 'DELETE':
    case 'DIE':
      return [number('message', message)];
    case 'LIVES': {
      const seconds = plain - Math.floor(startMs / 1_000);
      return sheet
        ? [none, seconds, number('sheet', sheet)]
        : [number('click', click?.id), seconds];
    }
    default:
      return [plain];
  }
}

function toMask(positions: number[] = []): number {
  return positions.reduce((mask, position) => mask | (1 << position), 0);
}

/** Gives names numbers; a message, an invocation and the like give theirs back after their last step. */
class Names {
  readonly #numbers = new Map<string, number>();
  readonly #used: Record<string, Set<number>> = {};
  readonly #last = new Map<string, number>();
  isTooLarge = false;

  constructor(events: RecordedEvent[]) {
    const senders = new Map<string, string>();
    const batches = new Map<string, string[]>();
    for (const [index, { kind, values }] of events.entries()) {
      const { token = '', invocation = senders.get(token) } = values;
      if (invocation) {
        const batch = batches.get(invocation) ?? [];
        batches.set(invocation, batch);
        if (kind === 'RECEIVE' && values.message) batch.push(values.message);
        if (token) senders.set(token, invocation);
        // A late request still needs its invocation and the messages of its batch.
        this.#last.set(`invocation ${invocation}`, index);
        for (const message of batch) this.#last.set(`message ${message}`, index);
      }
      for (const pool of ['message', 'instance', 'token'] as const) {
        if (values[pool]) this.#last.set(`${pool} ${values[pool]}`, index);
      }
    }
    this.isTooLarge = [...batches.values()].some(({ length }) => length > traceBounds.BATCH);
  }

  numberOf(pool: Pool, name: string | undefined, add: Add): number {
    const key = `${pool} ${name}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const used = this.#used[pool] ?? new Set();
    this.#used[pool] = used;
    let free = 0;
    while (used.has(free)) free += 1;
    if (free >= pools[pool]) this.isTooLarge = true;
    used.add(free);
    this.#numbers.set(key, free);
    if (pool === 'instance') add('HOST', free);
    if (pool === 'click') {
      const sheet = placeOf(name ?? '')?.key;
      add('CLICK', free, sheet ? this.numberOf('sheet', sheet, add) : none);
    }
    return free;
  }

  release(index: number): void {
    for (const [key, last] of this.#last) {
      if (last !== index) continue;
      const [pool = ''] = key.split(' ');
      this.#used[pool]?.delete(this.#numbers.get(key) ?? -1);
      this.#last.delete(key);
    }
  }
}
