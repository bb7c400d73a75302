import { afterAll, describe, expect, test } from 'vitest';
import { Simulator } from '../../evidence/simulation/pool.ts';
import { findBug } from '../helpers/planted-bug.ts';

const simulators = [new Simulator(), new Simulator()] as const;

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

// A slice; `npm run simulate` explores all deliveries.
const slice = [
  { instance: 'the duplicate beside its original', index: 2 },
  { instance: 'all messages in both instances', index: 6 },
];

describe('two instances, three messages, one a duplicate: every order and every crash', () => {
  test.concurrent.each(slice)('with $instance', async ({ index }) => {
    const simulator = simulators[index === 2 ? 0 : 1];

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
  "the marker's condition is dropped",
  'the marker is written before the work',
  'any cancelled transaction is taken for a duplicate',
])('a planted bug is found: %s', async (bug) => {
  const { counterexample = [] } = await simulators[0].run({ delivery: 1, bug: findBug(bug) });

  expect(counterexample.at(-1)).toMatch(/^VIOLATION/);
});
