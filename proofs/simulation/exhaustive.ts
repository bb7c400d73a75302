import type { FunctionCode } from './compiled-code.ts';
import { type Choice, type SmallClick, SmallWorld } from './small-world.ts';
import { readSettings } from './stage-settings.ts';

/** Which messages two instances get, and what these carry. */
interface SmallWorldsPart {
  a: string[];
  b: string[];
  clicks: Record<string, SmallClick>;
  /** A conflict comes together with the conditions that fail besides. */
  showsAllReasons: boolean;
}

/** Which instance gets which messages; the queue may give one message to both. */
const pairs = [
  { a: ['1'], b: ['2', '3'] },
  { a: ['2'], b: ['1', '3'] },
  { a: ['3'], b: ['1', '2'] },
  { a: ['1', '2', '3'], b: ['1', '2', '3'] },
];
/** The clicks of the three messages; the third carries the first one's click again. */
const ownMarkers: Record<string, SmallClick> = {
  1: { id: 'first', code: 'link', visitor: 'human' },
  2: { id: 'second', code: 'link', visitor: 'bot' },
  3: { id: 'first', code: 'link', visitor: 'human' },
};
const producer = '0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee';
const oneSheet: Record<string, SmallClick> = {
  1: { id: `${producer}.0.0`, code: 'link', visitor: 'human' },
  2: { id: `${producer}.0.1`, code: 'other', visitor: 'bot' },
  3: { id: `${producer}.0.0`, code: 'link', visitor: 'human' },
};
/** All small worlds. */
export const smallWorldsParts: SmallWorldsPart[] = [ownMarkers, oneSheet].flatMap((clicks) =>
  pairs.flatMap((pair) => [
    { ...pair, clicks, showsAllReasons: false },
    { ...pair, clicks, showsAllReasons: true },
  ]),
);

export interface Exploration {
  /** The worlds that were run; orders of independent steps count once. */
  worlds: number;
  /** The worlds in which an instance died. */
  crashes: number;
  /** All states in which worlds ended. */
  ends: Set<string>;
  /** What happened in the first world that went wrong. */
  counterexample?: string[];
}

/** A point of a world at which one of several choices was taken. */
interface Fork {
  choices: Choice[];
  taken: Choice;
  /** The choices that lead to worlds which were already run, in another order. */
  asleep: Choice[];
}

/**
 * Two instances and three messages, one a duplicate, with markers of their own or on one sheet: every
 * order in which their requests, answers and waits can happen, and in each of them the death of one
 * instance at every point, with its request in flight or without. Nothing is drawn; the worlds are
 * enumerated, depth first.
 *
 * Two orders are one world if they differ only in neighbouring steps that touch nothing in common.
 * Of these orders, one is run: its path avoids the choices that sleep (Godefroid's sleep sets).
 */
export async function explore(
  part: SmallWorldsPart,
  code: FunctionCode,
  areIndependent = touchNothingInCommon,
): Promise<Exploration> {
  const [settings] = readSettings();
  if (!settings) throw new Error('expected a stage');
  const exploration: Exploration = { worlds: 0, crashes: 0, ends: new Set() };
  const path: Fork[] = [];
  do {
    const world = new SmallWorld(code, settings, part.showsAllReasons);
    const isNew = await runPath(world, part, path, areIndependent);
    if (!isNew) continue;
    await redeliver(world);
    world.auditor.checkEnd(world.waiting, []);
    exploration.worlds += 1;
    exploration.ends.add(world.end);
    if (path.some(({ taken }) => taken.isDeath)) exploration.crashes += 1;
    const problems = world.auditor.violations.map(({ kind, text }) => `VIOLATION ${kind}: ${text}`);
    if (problems.length > 0) {
      exploration.counterexample = [...path.map(({ taken }) => taken.name), ...problems];
    }
  } while (!exploration.counterexample && branchOff(path));
  return exploration;
}

/**
 * Runs one world along a path of forks; beyond its end, the last choice that is awake is taken.
 * False if all choices sleep: such a world was already run.
 */
async function runPath(
  world: SmallWorld,
  { a, b, clicks }: SmallWorldsPart,
  path: Fork[],
  areIndependent: typeof touchNothingInCommon,
): Promise<boolean> {
  for (const [id, click] of Object.entries(clicks)) world.enqueue(id, click);
  await world.start('A', a);
  await world.start('B', b);
  let asleep: Choice[] = [];
  for (let depth = 0; ; depth += 1) {
    const choices = world.choices();
    if (choices.length === 0) return true;
    const name = path[depth]?.taken.name;
    const taken = name
      ? choices.find((choice) => choice.name === name)
      : lastAwake(choices, asleep);
    if (!taken) {
      if (name) throw new Error(`expected the same choices on the same path; ${name} is missing`);
      return false;
    }
    const fork = path[depth] ?? { choices, taken, asleep };
    path[depth] = fork;
    asleep = fork.asleep.filter((choice) => areIndependent(choice, taken));
    await world.choose(taken);
  }
}

// Deaths come last. Taking them first runs into fewer orders that were already run.
function lastAwake(choices: Choice[], asleep: Choice[]): Choice | undefined {
  return choices.findLast(({ name }) => !asleep.some((choice) => choice.name === name));
}

function touchNothingInCommon(one: Choice, other: Choice): boolean {
  if (one.touches === 'everything' || other.touches === 'everything') return false;
  return one.touches.isDisjointFrom(other.touches);
}

// Messages that are left in the queue go to one more instance, which is alone.
async function redeliver(world: SmallWorld): Promise<void> {
  const ids = world.waiting.map(({ id }) => id);
  if (ids.length === 0) return;
  await world.start('C', ids);
  const living = () => world.choices().filter(({ isDeath }) => !isDeath);
  for (let choices = living(); choices[0]; choices = living()) await world.choose(choices[0]);
}

// Turns to the next choice at the last fork that has one; false if there is none.
function branchOff(path: Fork[]): boolean {
  for (let fork = path.pop(); fork; fork = path.pop()) {
    const asleep = [...fork.asleep, fork.taken];
    const taken = lastAwake(fork.choices, asleep);
    if (!taken) continue;
    path.push({ choices: fork.choices, taken, asleep });
    return true;
  }
  return false;
}
