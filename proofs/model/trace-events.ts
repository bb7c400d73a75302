import { placeOf } from '../simulation/clicks/sheet-ledger.ts';

/** How many of each kind a recorded world may have at a time. */
export const traceBounds = {
  ...{ MESSAGES: 64, CLICKS: 32, CONSUMERS: 32, BATCH: 16, REQUESTS: 48, KEYS: 32 },
  ...{ LINKS: 12, DAYS: 12, SHEETS: 24, NUMBER: 'int' },
  ...{ COPIES: 255, RECEIVES: 255, EARLY: 0, EVICTS: 1 },
  // Queues are not the code's, so they may keep messages for as long as they like.
  ...{ BUS: 0, QUEUE: 1_000_000_000, DEAD_LETTER: 0, LIFE: 'life' },
};
const pools = {
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

/** A name, such as `['token', 'a1b2']`. The model knows it by a number. */
export type Name = [pool: keyof typeof pools, name: string];

/** One step; trace.pml says what its arguments mean. */
export interface RecordedEvent {
  seconds: number;
  kind: string;
  args: (Name | number)[];
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
  const used = new Set(enqueued.flatMap(({ args }) => args.map(String)));
  for (const [index, { seconds, kind, args }] of events.entries()) {
    if (kind === 'LINK' && !used.has(String(args[0]))) continue;
    const add = (kind: string, ...values: number[]) => {
      const row = [seconds, kindDefines[kind] ?? 0, ...values, 0, 0, 0, 0, 0, 0];
      recorded.rows.push(row.slice(0, 8));
      recorded.texts.push(`${seconds} s: ${kind} ${args.join(' ')}`);
    };
    const numberOf = (name: Name | number): number => {
      if (typeof name === 'number') return name;
      const [pool, text] = name;
      const known = numbers.get(`${name}`);
      if (known !== undefined) return known;
      const isTaken = new Set([...numbers].flatMap(([key, n]) => (key.startsWith(pool) ? n : [])));
      let free = 0;
      while (isTaken.has(free)) free += 1;
      recorded.isTooLarge ||= free >= pools[pool];
      numbers.set(`${name}`, free);
      const sheet = pool === 'click' && placeOf(text)?.key;
      if (pool === 'click') add('CLICK', free, sheet ? numberOf(['sheet', sheet]) : none);
      if (pool === 'instance') add('HOST', free);
      return free;
    };
    add(kind, ...args.map(numberOf));
    for (const name of released.get(index) ?? []) numbers.delete(name);
  }
  return recorded;
}

/** The names that no later event needs, by the index of an event. */
function listReleased(events: RecordedEvent[]): Map<number, string[]> {
  const last = new Map<string, number>();
  const needs = new Map<string, Set<string>>();
  for (const [index, { args }] of events.entries()) {
    const isIn = (pool: string) => (arg: Name | number) => Array.isArray(arg) && arg[0] === pool;
    const [first, ...others] = reused.flatMap((pool) => args.filter(isIn(pool)).map(String));
    if (first === undefined) continue;
    const needed = needs.get(first) ?? new Set();
    needs.set(first, needed.union(new Set(others)));
    const touch = (name: string) => {
      last.set(name, index);
      needs.get(name)?.forEach(touch);
    };
    touch(first);
  }
  const names = Map.groupBy(last, ([, index]) => index);
  return new Map([...names].map(([index, entries]) => [index, entries.map(([name]) => name)]));
}
