import { afterAll, describe, expect, test } from 'vitest';
import { describeTask } from '../../simulation/findings.ts';
import { Simulator } from '../../simulation/simulator.ts';
import type { WorldTask } from '../../simulation/tasks.ts';

const options = { service: 'orders', maxClicks: 60 } as const;
const seeds = Array.from({ length: 20 }, (_, index) => 1_001 + index);
const simulators = [new Simulator(), new Simulator()] as const;

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

describe('each order is booked once and completely, or is a dead letter', () => {
  test.concurrent.each(seeds)('in the world of seed %i', async (seed) => {
    const task: WorldTask = { seed, options };

    const { violations } = await simulators[seed % 2 === 0 ? 0 : 1].run(task);

    expect(violations, `npm --prefix proofs run simulate -- ${describeTask(task)} --trace`).toEqual(
      [],
    );
  });
});

test('two runs of a seed are identical, with and without earlier worlds', async () => {
  const task: WorldTask = { seed: 2_001, options, isTraced: true };
  const [fresh, used] = [new Simulator(), simulators[0]];
  await used.run({ seed: 1, options });

  const [first, second] = await Promise.all([fresh.run(task), used.run(task)]);
  await fresh.stop();

  expect(first.lines.length).toBeGreaterThan(100);
  expect(second.lines).toEqual(first.lines);
  expect(second.digest).toBe(first.digest);
});
