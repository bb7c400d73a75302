import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configurations, variants } from '../../model/configurations.ts';
import { createFollower } from '../../model/follower.ts';
import { check, findCompiler } from '../../model/spin.ts';
import { findBug } from '../../simulation/bugs/stand-in.ts';
import { Simulator } from '../../simulation/simulator.ts';
import type { ServiceChange } from '../../simulation/tasks.ts';

// Reported as skipped without spin and a C compiler; `npm --prefix proofs run model` says how to install them.
const compiler = (await findCompiler()) ?? '';
const find = (name: string) => {
  const found = [...configurations, ...variants].find((one) => one.name === name);
  if (!found) throw new Error(`expected a configuration; got ${name}`);
  return found;
};

describe.skipIf(compiler === '')('SPIN', () => {
  test('finds nothing wrong in any order of one click and two messages', async () => {
    const verdict = await check(compiler, find('late copies'), false);

    expect(verdict).toMatchObject({ kind: 'holds', counterexample: [] });
    expect(verdict.states).toBeGreaterThan(100_000);
  });

  test('shows how a crash after the claim loses a click', async () => {
    const { kind, counterexample } = await check(compiler, find('claim-message-id'), true);

    expect(kind).toBe('refuted');
    expect(counterexample).toContain('consumer 1 crashes');
    expect(counterexample.at(-1)).toMatch('neither counted nor a dead letter');
  });
});

describe.skipIf(compiler === '')('the steps of the real code', () => {
  const simulator = new Simulator();
  let follow: Awaited<ReturnType<typeof createFollower>>;

  beforeAll(async () => {
    follow = await createFollower(compiler, 'tested traces');
  });
  afterAll(() => simulator.stop());

  async function followWorlds(count: number, bug?: ServiceChange) {
    const traces = new Map();
    for (let seed = 1; seed <= count; seed += 1) {
      const options = { maxClicks: 6, push: 'absent' } as const;
      const world = { seed, isRecorded: true, options, ...(bug && { bug }) };
      const { recorded } = await simulator.run(world);
      if (recorded && !recorded.isTooLarge) traces.set(seed, recorded);
    }
    return { followed: traces.size, refused: await follow(traces) };
  }

  test('are steps of the model', async () => {
    expect(await followWorlds(25)).toEqual({ followed: 25, refused: [] });
  });

  test.each([
    'an answer without proof is taken for a commit',
    "a slot's condition is dropped",
    'a conflict is taken for a duplicate',
  ])('are refused if %s', async (name) => {
    const { refused } = await followWorlds(15, findBug(name));

    expect(refused).not.toEqual([]);
  });
});
