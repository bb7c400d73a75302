import type { FunctionCode } from './sandbox.ts';
import { readSettings } from './settings.ts';
import { SmallWorld } from './small-world.ts';

interface Delivery {
  a: string[];
  b: string[];
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
export const deliveries: Delivery[] = pairs.flatMap((pair) => [
  { ...pair, showsAllReasons: false },
  { ...pair, showsAllReasons: true },
]);

/** The third message carries the first one's click again. */
const clickIds: Record<string, string> = { 1: 'first', 2: 'second', 3: 'first' };

export interface Exploration {
  worlds: number;
  /** The worlds in which an instance died. */
  crashes: number;
  /** What happened in the first world that went wrong. */
  counterexample?: string[];
}

/**
 * Two instances and three messages, one a duplicate: every order in which their requests, answers
 * and waits can happen, and in each of them the death of one instance at every point, with its
 * request in flight or without. Nothing is drawn; all worlds are enumerated, depth first.
 */
export async function explore(delivery: Delivery, code: FunctionCode): Promise<Exploration> {
  const [settings] = readSettings();
  if (!settings) throw new Error('expected a stage');
  const exploration: Exploration = { worlds: 0, crashes: 0 };
  for (let path = [0]; path.length > 0 && !exploration.counterexample; ) {
    const world = new SmallWorld(code, settings, delivery.showsAllReasons);
    const run = await runPath(world, delivery, path);
    exploration.worlds += 1;
    if (run.names.some((name) => name.includes('dies'))) exploration.crashes += 1;
    if (run.problems.length > 0) exploration.counterexample = [...run.names, ...run.problems];
    path = nextPath(run.taken, run.widths);
  }
  return exploration;
}

/** Runs one world along a path of choices; beyond its end, the first choice is taken. */
async function runPath(world: SmallWorld, { a, b }: Delivery, path: number[]) {
  const names: string[] = [];
  const widths: number[] = [];
  const taken: number[] = [];
  for (const [id, clickId] of Object.entries(clickIds)) world.enqueue(id, clickId);
  await world.start('A', a);
  await world.start('B', b);
  for (let choices = world.choices(); choices.length > 0; choices = world.choices()) {
    const index = path[taken.length] ?? 0;
    const choice = choices[index];
    if (!choice) throw new Error('expected the same choices on the same path');
    taken.push(index);
    widths.push(choices.length);
    names.push(choice.name);
    await world.choose(choice);
  }
  await redeliver(world);
  world.auditor.checkEnd(world.waiting, []);
  const problems = world.auditor.violations.map(({ kind, text }) => `VIOLATION ${kind}: ${text}`);
  return { names, widths, taken, problems };
}

// Messages that are left in the queue go to one more instance, which is alone.
async function redeliver(world: SmallWorld): Promise<void> {
  const ids = world.waiting.map(({ id }) => id);
  if (ids.length === 0) return;
  await world.start('C', ids);
  const living = () => world.choices().filter(({ name }) => !name.includes('dies'));
  for (let choices = living(); choices[0]; choices = living()) await world.choose(choices[0]);
}

// The path that branches off as late as possible; empty if all were taken.
function nextPath(taken: number[], widths: number[]): number[] {
  for (let depth = taken.length - 1; depth >= 0; depth -= 1) {
    const next = (taken[depth] ?? 0) + 1;
    if (next < (widths[depth] ?? 0)) return [...taken.slice(0, depth), next];
  }
  return [];
}
