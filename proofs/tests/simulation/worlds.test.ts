import { afterAll, describe, expect, test } from 'vitest';
import { Simulator } from '../../simulation/simulator.ts';
import { describeTask, type WorldTask } from '../../simulation/tasks.ts';

const options = { maxClicks: 150 };
const seeds = Array.from({ length: 30 }, (_, index) => 1_001 + index);
const simulators = [new Simulator(), new Simulator()] as const;

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

describe('nothing is lost and nothing is counted twice', () => {
  test.concurrent.each(seeds)('in the world of seed %i', async (seed) => {
    const task: WorldTask = { seed, options };

    const { violations } = await simulators[seed % 2 === 0 ? 0 : 1].run(task);

    expect(violations, `npm --prefix proofs run simulate -- ${describeTask(task)} --trace`).toEqual(
      [],
    );
  });
});
