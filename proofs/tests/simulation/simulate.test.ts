import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createTestDir } from '../../../tests/helpers/test-dir.ts';
import { Simulator } from '../../simulation/simulator.ts';

const simulate = path.resolve(import.meta.dirname, '../../simulation/simulate.ts');

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

  for (let seed = 2_010; seed > 2_000; seed -= 1) {
    digests[seed] = (await simulator.run({ seed, options: { maxClicks: 40 } })).digest;
  }
  await runSimulate(`--from 2001 --seeds 10 --clicks 40 --json '${report}'`, '--random-seed=42');

  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ digests, next: 2_011 });
  expect(new Set(Object.values(digests)).size).toBe(10);
});

test('a violation prints a command that reproduces it, with the trace', async () => {
  const found = await runSimulate(`--clicks 20 --bug "the marker's condition is dropped"`);
  const [failure] =
    /^seed \d+, digest \w+\nVIOLATION (?:counted twice|sums): .*$/m.exec(found.stdout) ?? [];
  const [, options = ''] =
    /^again: npm --prefix proofs run simulate -- (.*)$/m.exec(found.stdout) ?? [];

  const repeated = await runSimulate(options);

  expect([found.code, repeated.code]).toEqual([1, 1]);
  expect(failure).toBeDefined();
  expect(repeated.stdout).toContain(failure);
  expect(repeated.stdout).toContain('table: commits ');
});
