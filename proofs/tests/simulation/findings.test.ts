import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const simulate = path.resolve(import.meta.dirname, '../../simulation/simulate.ts');

/** Runs `npm --prefix proofs run simulate -- <args>` in a shell. Returns its output and exit code. */
async function runSimulate(args: string) {
  const command = `exec '${process.execPath}' '${simulate}' ${args}`;
  return promisify(execFile)('sh', ['-c', command], { maxBuffer: 64 * 1024 * 1024 }).then(
    ({ stdout }) => ({ stdout, code: 0 }),
    ({ stdout, code }: { stdout: string; code: number }) => ({ stdout, code }),
  );
}

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

test.each([
  ['an unknown option', '--nope', "error: unknown option '--nope'"],
  ['an invalid seed', '--seed x', 'Expected a whole number above 0.'],
  ['an unknown bug', '--bug nope', 'Expected the name of a planted bug'],
])('%s is a usage error', async (_, args, message) => {
  const { stdout, code } = await runSimulate(`${args} 2>&1`);

  expect(code).toBe(2);
  expect(stdout).toContain(message);
});
