import { expect, test } from 'vitest';
import { readOutput, startServerless } from '../../local/engines/serverless.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import { propertiesOf, readPackage } from './stage-template.ts';

/** Packages a stage and returns the exit code and all that the framework printed. */
async function packageWith(dir: { path: string }, stage: string, aggregator: string) {
  const options = ['--package', dir.path, '--param', `aggregator=${aggregator}`];
  const child = await startServerless(['package', '--stage', stage, ...options]);
  return { code: await child.exited, all: child.output(), readable: readOutput(child) };
}

test.each([
  ['prod', 'hand-rolled', 'click-tally'],
  ['dev', 'home-made', 'click-tally or hand-rolled'],
])('%s refuses the aggregator %s in one line', async (stage, aggregator, allowed) => {
  await using dir = await createTestDir();

  const { code, all, readable } = await packageWith(dir, stage, aggregator);

  expect(code).toBe(1);
  expect(readable.split('\n').at(-1)).toBe(
    `expected the param aggregator of ${stage} to be ${allowed}; ` +
      `got ${aggregator}. Leave it out: only click-tally counts every click.`,
  );
  expect(all).not.toMatch(/^\s+at /m);
});

test('dev takes the hand-rolled aggregator', async () => {
  await using dir = await createTestDir();

  const { code } = await packageWith(dir, 'dev', 'hand-rolled');

  expect(code).toBe(0);
  expect(propertiesOf(await readPackage(dir.path), 'AggregateClicksLambdaFunction').Handler).toBe(
    'functions/aggregate-clicks-hand-rolled.handler',
  );
});
