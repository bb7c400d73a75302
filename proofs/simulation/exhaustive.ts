import type { FunctionCode } from './compiled-code.ts';
import { type Choice, type SmallClick, SmallWorld } from './small-world.ts';
import { readSettings } from './stage-settings.ts';

/** The messages of two instances, and their clicks. */
interface SmallWorldsPart {
  a: string[];
  b: string[];
  clicks: Record<string, SmallClick>;
  /** Whether a conflict is reported together with failed conditions. */
  showsAllReasons: boolean;
}

/** The messages of each instance. The queue may give one message to both. */
const pairs = [
  { a: ['1'], b: ['2', '3'] },
  { a: ['2'], b: ['1', '3'] },
  { a: ['3'], b: ['1', '2'] },
  { a: ['1', '2', '3'], b: ['1', '2', '3'] },
];
/** The clicks of the three messages. The third repeats the first one's click. */
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
export const smallWorldsParts: SmallWorldsPart[] = [ownMarkers, oneSheet].flatMap((clicks) =>
  pairs.flatMap((pair) => [
    { ...pair, clicks, showsAllReasons: false },
    { ...pair, clicks, showsAllReasons: true },
  ]),
);

export interface Exploration {
  /** The number of worlds that were run. Orders of independent steps count once. */
  worlds: number;
  /** The number of worlds in which an instance died. */
  crashes: number;
  /** All final states. */
  ends: Set<string>;
  /** The history of the first world with a violation. */
  counterexample?: string[];
}

/** A point at which one of several choices was taken. */
interface Fork {
  choices: Choice[];
  taken: Choice;
  /** The choices that lead to worlds that were already run in another order. */
  asleep: Choice[];
}

/**
 * Explores two instances and three messages, one of them a duplicate, with single markers or on one
 * sheet: every order of their requests, answers and waits, and in each order the death of one instance
 * at every point, with or without a request in flight. The worlds are enumerated depth first, without
 * randomness.
 *
 * Orders that differ only in adjacent steps that touch nothing in common are equivalent. Only one of
 * them is run, by avoiding choices that sleep (Godefroid's sleep sets).
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
 * Runs one world along a path of forks. Beyond its end, takes the last choice that is awake. Returns
 * false if all choices sleep, because such a world was already run.
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

// Deaths are the last choices. Taking them first avoids more orders that were already run.
function lastAwake(choices: Choice[], asleep: Choice[]): Choice | undefined {
  return choices.findLast(({ name }) => !asleep.some((choice) => choice.name === name));
}

function touchNothingInCommon(one: Choice, other: Choice): boolean {
  if (one.touches === 'everything' || other.touches === 'everything') return false;
  return one.touches.isDisjointFrom(other.touches);
}

// Remaining messages go to a third instance, which runs alone.
async function redeliver(world: SmallWorld): Promise<void> {
  const ids = world.waiting.map(({ id }) => id);
  if (ids.length === 0) return;
  await world.start('C', ids);
  const living = () => world.choices().filter(({ isDeath }) => !isDeath);
  for (let choices = living(); choices[0]; choices = living()) await world.choose(choices[0]);
}

// Takes the next choice at the last fork that has one. Returns false if there is none.
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
