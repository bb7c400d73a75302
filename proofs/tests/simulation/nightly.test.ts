import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectDir } from '../../../local/engines/serverless.ts';
import { createTestDir } from '../../../tests/helpers/test-dir.ts';

interface Step {
  name?: string;
  run?: string;
}

interface Report {
  next: number;
  failed: { seed: number }[];
}

const workflow = await readFile(path.join(projectDir, '.github/workflows/nightly.yml'), 'utf8');
const steps: Step[] = parse(workflow).jobs.simulate.steps;
const simulate = path.join(projectDir, 'proofs/simulation/simulate.ts');

// Fakes for npm, whose simulation would take an hour, and for GitHub's gh.
const commands = {
  npm: `echo "$*" > npm-args; shift 6; eval "exec '${process.execPath}' '${simulate}' $* $WORLDS"`,
  gh: 'echo "$*" > gh-args',
};

/** A directory for running the nightly workflow's steps as on GitHub. */
async function createNight() {
  const dir = await createTestDir();
  const bin = path.join(dir.path, 'bin');
  await mkdir(bin);
  for (const [name, script] of Object.entries(commands)) {
    await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return {
    path: dir.path,
    read: (file: string) => readFile(path.join(dir.path, file), 'utf8'),
    /** Returns a step's exit code. `worlds` are further options of the simulation. */
    async runStep(name: string, worlds = ''): Promise<number> {
      const script = steps.find((step) => step.name === name)?.run ?? '';
      const env = {
        ...process.env,
        PATH: `${bin}:${process.env.PATH}`,
        WORLDS: worlds,
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_REPOSITORY: 'owner/name',
        GITHUB_RUN_ID: '7',
      };
      return promisify(execFile)('bash', ['-e', '-c', script], { cwd: dir.path, env }).then(
        () => 0,
        ({ code }: { code: number }) => code,
      );
    },
    [Symbol.asyncDispose]: () => dir.remove(),
  };
}

test('a night continues where the last one ended', async () => {
  await using night = await createNight();

  const first = await night.runStep('Simulate', '--seeds 1 --clicks 5');
  const firstArgs = await night.read('npm-args');
  const second = await night.runStep('Simulate', '--seeds 2 --clicks 5');

  expect([first, second]).toEqual([0, 0]);
  expect(firstArgs).toContain('simulate -- --from 1000001 --minutes 60 ');
  expect(await night.read('npm-args')).toContain('simulate -- --from 1000002 --minutes 60 ');
  expect(await night.read('.nightly/next-seed')).toBe('1000004\n');
});

test('after a crash of the simulation, the next night starts at the same seed', async () => {
  await using night = await createNight();
  await mkdir(path.join(night.path, '.nightly'));
  await writeFile(path.join(night.path, '.nightly/next-seed'), '2000001\n');

  const code = await night.runStep('Simulate', '--nope');

  expect(code).toBe(2);
  expect(await night.read('.nightly/next-seed')).toBe('2000001\n');
});

test('a violation opens an issue with every failed seed and the smallest history', async () => {
  await using night = await createNight();

  const code = await night.runStep('Simulate', '--clicks 20 --bug "the key is the messageId"');
  await night.runStep('Open an issue with the smallest history');

  const { next, failed }: Report = JSON.parse(await night.read('.nightly/report.json'));
  const issue = await night.read('.nightly/issue.md');
  expect(code).toBe(1);
  expect(await night.read('gh-args')).toMatch(
    /^issue create --repo owner\/name --title Simulation: seed \d+: made up: a click/,
  );
  expect(issue).toMatch(/^https:\/\/github\.com\/owner\/name\/actions\/runs\/7\n```\n/);
  expect(issue).toMatch(/the smallest of \d+ runs that still fails[\s\S]*VIOLATION made up/);
  expect(failed.length).toBeGreaterThan(0);
  for (const { seed } of failed) {
    expect(issue).toContain(
      `again: npm --prefix proofs run simulate -- --seed ${seed} --clicks 20 --bug`,
    );
    expect(seed).toBeLessThan(next);
  }
});
