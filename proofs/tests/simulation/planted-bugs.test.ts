import { afterAll, describe, expect, test } from 'vitest';
import { plantedBugs } from '../../simulation/bugs/bugs.ts';
import { findSeed, maxWorlds } from '../../simulation/bugs/find-seed.ts';
import { Simulator } from '../../simulation/simulator.ts';

const simulators = [new Simulator(), new Simulator()] as const;

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

describe(`the simulation finds each planted bug within ${maxWorlds} worlds`, () => {
  const rows = plantedBugs.map((bug, index) => ({ ...bug, bug, index }));
  test.concurrent.each(rows)('$name: $kind', async ({ bug, index }) => {
    const { seed, kinds } = await findSeed(bug, simulators[index % 2 === 0 ? 0 : 1]);

    expect(seed, `it caused only: ${kinds}`).toBeDefined();
  });
});

test('a planted bug whose own code crashes does not count as found', async () => {
  const contents = `
    import { guard } from '../../proofs/simulation/bugs/stand-in.ts';
    export * from './records.ts';
    export const checkRecord = guard(() => missing, __broken);`;
  const bug = { name: 'broken', standIns: [{ file: 'lib/clicks/records.ts', contents }] };

  const world = simulators[0].run({ seed: 1, bug, options: { maxClicks: 20 } });

  await expect(world).rejects.toThrow('missing is not defined');
});
