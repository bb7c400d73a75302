import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createTestDir } from '../../../tests/helpers/test-dir.ts';
import { Simulator } from '../../simulation/simulator.ts';

const options = { maxClicks: 40 };
const seeds = Array.from({ length: 20 }, (_, index) => 2_001 + index);
const simulators: Simulator[] = [];
const startThread = () => {
  const simulator = new Simulator();
  simulators.push(simulator);
  return simulator;
};

afterAll(async () => {
  await Promise.all(simulators.map((simulator) => simulator.stop()));
});

/** The digests of these seeds, run sequentially on one thread. */
async function runOnOneThread(inOrder: readonly number[]): Promise<Record<number, string>> {
  const simulator = startThread();
  const digests: Record<number, string> = {};
  for (const seed of inOrder) digests[seed] = (await simulator.run({ seed, options })).digest;
  await simulator.stop();
  return digests;
}

test("a seed's digest depends only on the seed, not on earlier worlds or V8's own seed", async () => {
  await using dir = await createTestDir();
  const report = path.join(dir.path, 'report.json');
  const simulate = path.resolve(import.meta.dirname, '../../simulation/simulate.ts');
  const range = ['--from', '2001', '--seeds', '20', '--clicks', '40', '--json', report];
  const inOtherProcess = promisify(execFile)(process.execPath, [
    '--random-seed=42',
    ...[simulate, ...range],
  ]);

  const ascending = await runOnOneThread(seeds);
  const descending = await runOnOneThread(seeds.toReversed());
  const alone: Record<number, string> = {};
  for (const seed of seeds) Object.assign(alone, await runOnOneThread([seed]));
  await inOtherProcess;

  expect(descending).toEqual(ascending);
  expect(alone).toEqual(ascending);
  expect(JSON.parse(await readFile(report, 'utf8')).digests).toEqual(ascending);
  expect(new Set(Object.values(ascending)).size).toBe(seeds.length);
});

test('two runs of a seed are identical, with and without earlier worlds', async () => {
  const task = { seed: 1_003, options: { maxClicks: 150 }, isTraced: true };
  const [fresh, used] = [startThread(), startThread()];
  for (const seed of [1, 2, 3]) await used.run({ seed, options });

  const [first, second] = await Promise.all([fresh.run(task), used.run(task)]);

  expect(first.lines.length).toBeGreaterThan(100);
  expect(second.lines).toEqual(first.lines);
  expect(second.digest).toBe(first.digest);
});
