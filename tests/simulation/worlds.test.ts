import { afterAll, describe, expect, it } from 'vitest';
import { describeJob } from '../../evidence/simulation/findings.ts';
import type { Job } from '../../evidence/simulation/jobs.ts';
import { Simulator } from '../../evidence/simulation/pool.ts';

const options = { maxClicks: 150 };
const seeds = Array.from({ length: 30 }, (_, index) => 1_001 + index);
const simulators = [new Simulator(), new Simulator()] as const;

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

describe('nothing is lost and nothing is counted twice', () => {
  it.concurrent.each(seeds)('in the world of seed %i', async (seed) => {
    const job: Job = { seed, options };

    const { violations } = await simulators[seed % 2 === 0 ? 0 : 1].run(job);

    expect(violations, `npm run simulate -- ${describeJob(job)} --trace`).toEqual([]);
  });
});

it('a seed is one world: two threads see the same, event by event', async () => {
  const job: Job = { seed: 1_003, options, isTraced: true };

  const [first, second] = await Promise.all(simulators.map((simulator) => simulator.run(job)));

  expect(first?.lines.length).toBeGreaterThan(100);
  expect(second?.digest).toBe(first?.digest);
  expect(second?.lines.map(withoutIds)).toEqual(first?.lines.map(withoutIds));
});

it('another seed is another world', async () => {
  const [simulator] = simulators;

  const first = await simulator.run({ seed: 1_001, options });
  const second = await simulator.run({ seed: 1_002, options });

  expect(second.digest).not.toBe(first.digest);
});

it('only the faults that are asked for happen', async () => {
  const [simulator] = simulators;
  const job = { seed: 1_003, options };
  const { faults } = await simulator.run(job);
  const [only = ''] = faults;

  const result = await simulator.run({ ...job, only: [only] });

  expect(faults.length).toBeGreaterThan(1);
  expect(result.faults).toEqual([only]);
});

// The resolver's click ids are as random as they are in production.
function withoutIds(line: string): string {
  return line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>');
}
