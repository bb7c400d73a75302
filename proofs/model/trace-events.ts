import { placeOf } from '../simulation/clicks/sheet-ledger.ts';

/** How many of each kind a recorded world may have at a time. */
export const traceBounds = {
  ...{ MESSAGES: 64, CLICKS: 32, CONSUMERS: 32, BATCH: 16, REQUESTS: 48, KEYS: 32 },
  ...{ LINKS: 12, DAYS: 12, SHEETS: 24, NUMBER: 'int' },
  ...{ COPIES: 255, RECEIVES: 255, EARLY: 0, EVICTS: 1 },
  // Queues are not the code's, so they may keep messages for as long as they like.
  ...{ BUS: 0, QUEUE: 1_000_000_000, DEAD_LETTER: 0, LIFE: 'life' },
};
const pools: Record<string, number> = {
  token: traceBounds.REQUESTS,
  invocation: traceBounds.CONSUMERS,
  message: traceBounds.MESSAGES,
  instance: traceBounds.CONSUMERS,
  click: traceBounds.CLICKS,
  code: traceBounds.LINKS,
  day: traceBounds.DAYS,
  sheet: traceBounds.SHEETS,
};
/** Each gives its number back after its last step. A late request still needs what comes after it here. */
const reused = ['token', 'invocation', 'message', 'instance'];
/** The name of a missing thing. */
export const none = 255;

/** One step. The arguments are in the order of trace.pml, and the model knows a name by a number. */
export interface RecordedEvent {
  seconds: number;
  kind: string;
  args: Record<string, number | string>;
}

/** The steps of a world, as trace.pml reads them and as a person does. */
export interface Recorded {
  rows: number[][];
  texts: string[];
  /** It has more of something at a time than the bounds allow. */
  isTooLarge: boolean;
}

const kinds = [
  ...['CLICK', 'LINK', 'HOST', 'ENQUEUE', 'START', 'RECEIVE', 'SEND', 'RETRY', 'DROP', 'COMMIT'],
  ...['REPLAY', 'CANCEL', 'FINISH', 'DELETE', 'DIE', 'TOTAL', 'COUNT', 'LIVES', 'SETTINGS'],
];

/** Numbers of the kinds, for the model. */
export const kindDefines = Object.fromEntries(kinds.map((kind, index) => [kind, index + 1]));

/** Translates the steps of one world. */
export function encodeTrace(events: RecordedEvent[]): Recorded {
  const recorded: Recorded = { rows: [], texts: [], isTooLarge: false };
  const numbers = new Map<string, number>();
  const released = listReleased(events);
  const enqueued = events.filter(({ kind }) => kind === 'ENQUEUE');
  const used = new Set(enqueued.map(({ args }) => args.code));
  for (const [index, { seconds, kind, args }] of events.entries()) {
    if (kind === 'LINK' && !used.has(args.code)) continue;
    const add = (kind: string, ...values: number[]) => {
      const row = [seconds, kindDefines[kind] ?? 0, ...values, 0, 0, 0, 0, 0, 0];
      recorded.rows.push(row.slice(0, 8));
      recorded.texts.push(`${seconds} s: ${kind} ${JSON.stringify(args)}`);
    };
    const numberOf = ([pool, name]: [string, number | string]): number => {
      if (typeof name === 'number') return name;
      const known = numbers.get(`${pool} ${name}`);
      if (known !== undefined) return known;
      const isPeer = ([key]: [string, number]) => key.startsWith(`${pool} `);
      const taken = new Set([...numbers].filter(isPeer).map(([, number]) => number));
      let free = 0;
      while (taken.has(free)) free += 1;
      recorded.isTooLarge ||= free >= (pools[pool] ?? 0);
      numbers.set(`${pool} ${name}`, free);
      const sheet = pool === 'click' && placeOf(name)?.key;
      if (pool === 'click') add('CLICK', free, sheet ? numberOf(['sheet', sheet]) : none);
      if (pool === 'instance') add('HOST', free);
      return free;
    };
    recorded.isTooLarge ||= Number(args.position) >= traceBounds.BATCH;
    add(kind, ...Object.entries(args).map(numberOf));
    for (const name of released.get(index) ?? []) numbers.delete(name);
  }
  return recorded;
}

/** The names that no later event needs, by the index of an event. */
function listReleased(events: RecordedEvent[]): Map<number, string[]> {
  const last = new Map<string, number>();
  const needs = new Map<string, Set<string>>();
  for (const [index, { args }] of events.entries()) {
    const names = reused.filter((pool) => pool in args).map((pool) => `${pool} ${args[pool]}`);
    const [first, ...others] = names;
    if (first === undefined) continue;
    needs.set(first, new Set([...(needs.get(first) ?? []), ...others]));
    const touch = (name: string) => {
      last.set(name, index);
      needs.get(name)?.forEach(touch);
    };
    touch(first);
  }
  return Map.groupBy(last.keys(), (name) => last.get(name) ?? 0);
}
