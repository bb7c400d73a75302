import { afterAll, expect, test } from 'vitest';
import { findBug } from '../../simulation/bugs/stand-in.ts';
import { Simulator } from '../../simulation/simulator.ts';

const simulator = new Simulator();

afterAll(() => simulator.stop());

test('10,000 malformed messages become dead letters with a reason, and the other messages of their batches count', async () => {
  const result = await simulator.run({ malformed: 10_000, seed: 20_260_526 });

  expect(result).toEqual({ seed: 20_260_526, malformed: 10_000, neighbours: 1_000, problems: [] });
});

test('a malformed message that is deleted is a violation', async () => {
  const result = await simulator.run({
    malformed: 100,
    seed: 1,
    bug: findBug('an error is swallowed'),
  });

  expect(result.problems).toContain('poison taken for done: an invalid message was deleted');
});
