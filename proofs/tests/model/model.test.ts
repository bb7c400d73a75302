import { beforeAll, describe, expect, test } from 'vitest';
import { configurations, variants } from '../../model/configurations.ts';
import { createFollower } from '../../model/follower.ts';
import { check, findCompiler } from '../../model/spin.ts';
import { findBug } from '../../simulation/bugs/stand-in.ts';

// Reported as skipped without spin and a C compiler; `npm --prefix proofs run model` says how to install them.
const compiler = (await findCompiler()) ?? '';
const [lateCopies] = configurations;
const [claimFirst] = variants;
if (!lateCopies || !claimFirst) throw new Error('expected configurations and variants');

describe.skipIf(compiler === '')('SPIN', () => {
  test('finds nothing wrong in any order of one click and two messages', async () => {
    const verdict = await check(compiler, lateCopies, false);

    expect(verdict).toMatchObject({ kind: 'holds', counterexample: [] });
    expect(verdict.states).toBeGreaterThan(100_000);
  });

  test('shows how a crash after the claim loses a click', async () => {
    const { kind, counterexample } = await check(compiler, claimFirst, true);

    expect(kind).toBe('refuted');
    expect(counterexample).toContain('consumer 1 crashes');
    expect(counterexample.at(-1)).toMatch('neither counted nor a dead letter');
  });
});

describe.skipIf(compiler === '')('the steps of the real code', () => {
  let followWorlds: Awaited<ReturnType<typeof createFollower>>;

  beforeAll(async () => {
    followWorlds = await createFollower(compiler, 'tested traces');
  });

  test('are steps of the model', async () => {
    const found = await followWorlds({ count: 25, maxClicks: 6 });

    expect(found).toMatchObject({ traces: 25, refused: [] });
  });

  test.each([
    'an answer without proof is taken for a commit',
    "a slot's condition is dropped",
    'a conflict is taken for a duplicate',
  ])('are refused if %s', async (name) => {
    const bug = findBug(name);
    if (!bug) throw new Error(`expected a planted bug; got ${name}`);

    const { refused } = await followWorlds({ count: 15, maxClicks: 6, bug });

    expect(refused).not.toEqual([]);
  });
});
