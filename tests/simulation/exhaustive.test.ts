import { afterAll, describe, expect, it } from 'vitest';
import { deliveries } from '../../simulation/exhaustive.ts';
import { Simulator } from '../../simulation/pool.ts';

const simulators = [new Simulator(), new Simulator()] as const;

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

// `npm run simulate` explores all of them.
const slice = deliveries
  .map(({ a, b, showsAllReasons }, index) => ({ a, b, showsAllReasons, index }))
  .filter(({ showsAllReasons }) => showsAllReasons);

describe('two instances, three messages, one a duplicate: every order and every crash', () => {
  it.concurrent.each(slice)('where A gets $a and B gets $b', async ({ index }) => {
    const { worlds, crashes, counterexample } = await simulators[index % 4 === 1 ? 0 : 1].run({
      delivery: index,
    });

    expect(counterexample).toBeUndefined();
    expect(crashes).toBeGreaterThan(900);
    expect(worlds).toBeGreaterThan(crashes + 100);
  });
});

it.each([
  "the marker's condition is dropped",
  'the marker is written before the work',
  'any cancelled transaction is taken for a duplicate',
])('it finds that %s', async (bug) => {
  const { counterexample = [] } = await simulators[0].run({ delivery: 1, bug });

  expect(counterexample.at(-1)).toMatch(/^VIOLATION/);
});
