import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createTestDir } from '../../../tests/helpers/test-dir.ts';
import { Simulator } from '../../simulation/simulator.ts';

const simulate = path.resolve(import.meta.dirname, '../../simulation/simulate.ts');
const options = { maxClicks: 40 };
const seeds = Array.from({ length: 10 }, (_, index) => 2_001 + index);

/** Runs `npm --prefix proofs run simulate -- <args>` in a shell. Returns its output and exit code. */
async function runSimulate(args: string, nodeOptions = '') {
  const command = `exec '${process.execPath}' ${nodeOptions} '${simulate}' ${args}`;
  return promisify(execFile)('sh', ['-c', command], { maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout, code }: { stdout: string; code: number }) => ({ stdout, code }),
  );
}

test("a seed's digest depends only on the seed, not on earlier worlds or V8's own seed", async () => {
  await using dir = await createTestDir();
  await using simulator = new Simulator();
  const report = path.join(dir.path, 'report.json');
  const digests: Record<number, string> = {};

  for (const seed of seeds.toReversed()) {
    digests[seed] = (await simulator.run({ seed, options })).digest;
  }
  await runSimulate(`--from 2001 --seeds 10 --clicks 40 --json '${report}'`, '--random-seed=42');

  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ digests, next: 2_011 });
  expect(new Set(Object.values(digests)).size).toBe(seeds.length);
});

test('two runs of a seed are identical, event by event, with and without earlier worlds', async () => {
  const task = { seed: 1_003, options: { maxClicks: 150 }, isTraced: true };
  await using fresh = new Simulator();
  await using used = new Simulator();
  for (const seed of [1, 2, 3]) await used.run({ seed, options });

  const [first, second] = await Promise.all([fresh.run(task), used.run(task)]);

  expect(first.lines.length).toBeGreaterThan(100);
  expect(second.lines).toEqual(first.lines);
});

test('a violation prints a command that reproduces it', async () => {
  const found = await runSimulate(`--clicks 20 --bug "the marker's condition is dropped"`);
  const [, seed, violation = ''] = /^seed (\d+): (.*)$/m.exec(found.stdout) ?? [];
  const [, again = ''] =
    /^again: npm --prefix proofs run simulate -- (.*)$/m.exec(found.stdout) ?? [];

  const repeated = await runSimulate(again);

  expect([found.code, repeated.code]).toEqual([1, 1]);
  expect(violation).toMatch(/^counted twice|^sums/);
  expect(repeated.stdout).toContain(`VIOLATION ${violation}`);
  expect(repeated.stdout).toContain(`seed ${seed}, digest`);
});

test('an unknown bug is a usage error', async () => {
  const { stdout, code } = await runSimulate('--bug nope 2>&1');

  expect(code).toBe(2);
  expect(stdout).toContain('Expected the name of a planted bug: ');
});
