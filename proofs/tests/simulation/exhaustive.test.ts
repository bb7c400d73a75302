import { afterAll, describe, expect, test } from 'vitest';
import { findBug } from '../../simulation/bugs/stand-in.ts';
import { Simulator } from '../../simulation/simulator.ts';

const simulators = [new Simulator(), new Simulator()] as const;

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

// A slice; `npm --prefix proofs run simulate` explores all deliveries.
const slice = [
  { instance: 'the duplicate beside its original', index: 2 },
  { instance: 'all messages in both instances', index: 6 },
  { instance: 'two clicks of one sheet in two instances', index: 8 },
  { instance: 'all messages of one sheet in both instances', index: 15 },
];

describe('two instances, three messages, one a duplicate: every order and every crash', () => {
  test.concurrent.each(slice)('with $instance', async ({ index }) => {
    const simulator = simulators[index % 4 === 2 ? 1 : 0];

    const { worlds, crashes, counterexample } = await simulator.run({ delivery: index });

    expect(counterexample).toBeUndefined();
    expect(crashes).toBeGreaterThan(100);
    expect(worlds).toBeGreaterThan(crashes + 20);
  });
});

test('the orders that are left out end like those that are run', async () => {
  const [all, pruned] = await Promise.all([
    simulators[0].run({ delivery: 7, isUnpruned: true }),
    simulators[1].run({ delivery: 7 }),
  ]);

  expect(all.worlds).toBeGreaterThan(4 * pruned.worlds);
  expect(pruned.ends).toEqual(all.ends);
  expect(all.ends.size).toBeGreaterThan(5);
});

test.each([
  ["the marker's condition is dropped", 1],
  ['the marker is written before the work', 1],
  ['a conflict is taken for a duplicate', 1],
  ["a slot's condition is dropped", 9],
])('a planted bug is found: %s', async (bug, delivery) => {
  const { counterexample = [] } = await simulators[0].run({ delivery, bug: findBug(bug) });

  expect(counterexample.at(-1)).toMatch(/^VIOLATION/);
});
