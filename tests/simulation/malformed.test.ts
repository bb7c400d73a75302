import { afterAll, expect, test } from 'vitest';
import { Simulator } from '../../evidence/simulation/pool.ts';

const simulator = new Simulator();

afterAll(() => simulator.stop());

test('10,000 malformed messages are dead letters, each with a reason, and disturb nobody', async () => {
  const result = await simulator.run({ malformed: 10_000, seed: 20_260_526 });

  expect(result).toEqual({ seed: 20_260_526, malformed: 10_000, neighbours: 1_000, problems: [] });
});

test('one that is taken for done is found', async () => {
  const result = await simulator.run({ malformed: 100, seed: 1, bug: 'an error is swallowed' });

  expect(result.problems).toContain(
    'poison taken for done: a message that is no click was deleted',
  );
});
