import { afterAll, describe, expect, test } from 'vitest';
import { findBug } from '../../simulation/bugs/stand-in.ts';
import { Simulator } from '../../simulation/simulator.ts';

const simulators = [new Simulator(), new Simulator()] as const;

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

// A sample. `npm --prefix proofs run simulate` explores all parts.
const slice = [
  { instance: 'the duplicate beside its original', part: 3 },
  { instance: 'all messages in both instances', part: 7 },
  { instance: 'two clicks of one sheet in two instances', part: 9 },
  { instance: 'all messages of one sheet in both instances', part: 16 },
];

describe('three messages, one of them a duplicate, count once in every order and with every crash', () => {
  test.concurrent.each(slice)('with $instance', async ({ part }) => {
    const simulator = simulators[part % 4 === 3 ? 1 : 0];

    const { worlds, crashes, counterexample } = await simulator.run({ part });

    expect(counterexample).toBeUndefined();
    expect(crashes).toBeGreaterThan(100);
    expect(worlds).toBeGreaterThan(crashes + 20);
  });
});

test('skipped orders end like those that are run', async () => {
  const [all, pruned] = await Promise.all([
    simulators[0].run({ part: 8, isUnpruned: true }),
    simulators[1].run({ part: 8 }),
  ]);

  expect(all.worlds).toBeGreaterThan(4 * pruned.worlds);
  expect(pruned.ends).toEqual(all.ends);
  expect(all.ends.size).toBeGreaterThan(5);
});

test.each([
  ["the marker's condition is dropped", 2],
  ['the marker is written before the work', 2],
  ['a conflict is taken for a duplicate', 2],
  ["a slot's condition is dropped", 10],
])('a planted bug is found: %s', async (bug, part) => {
  const { counterexample = [] } = await simulators[0].run({ part, bug: findBug(bug) });

  expect(counterexample.at(-1)).toMatch(/^VIOLATION/);
});
