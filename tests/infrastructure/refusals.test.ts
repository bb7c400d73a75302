import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOutput, startServerless } from '../../local/engines/serverless.ts';
import { propertiesOf, readPackage } from './stage-template.ts';

let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'click-tally-refusals-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

/** Packages a stage and returns the exit code and all that the framework printed. */
async function packageWith(stage: string, aggregator: string) {
  const params = ['--param', `aggregator=${aggregator}`];
  const child = await startServerless(['package', '--stage', stage, '--package', dir, ...params]);
  return { code: await child.exited, all: child.output(), readable: readOutput(child) };
}

test.each([
  ['prod', 'hand-rolled', 'click-tally'],
  ['dev', 'home-made', 'click-tally or hand-rolled'],
])('%s refuses the aggregator %s in one line', async (stage, aggregator, allowed) => {
  const { code, all, readable } = await packageWith(stage, aggregator);

  expect(code).toBe(1);
  expect(readable.split('\n').at(-1)).toBe(
    `expected the param aggregator of ${stage} to be ${allowed}; ` +
      `got ${aggregator}. Leave it out: only click-tally counts every click.`,
  );
  expect(all).not.toMatch(/^\s+at /m);
});

test('dev takes the hand-rolled aggregator', async () => {
  const { code } = await packageWith('dev', 'hand-rolled');

  expect(code).toBe(0);
  expect(propertiesOf(await readPackage(dir), 'AggregateClicksLambdaFunction').Handler).toBe(
    'functions/aggregate-clicks-hand-rolled.handler',
  );
});
