import { expect, test } from 'vitest';
import {
  paramArgs,
  readOutput,
  type ServiceParams,
  startServerless,
} from '../../local/engines/serverless.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import { propertiesOf, readPackage } from './stage-template.ts';

/** Packages a stage and returns the exit code and all that the framework printed. */
async function packageWith(dir: { path: string }, stage: string, params: ServiceParams) {
  const options = ['--package', dir.path, ...paramArgs(params)];
  const child = await startServerless(['package', '--stage', stage, ...options]);
  return { code: await child.exited, all: child.output(), readable: readOutput(child) };
}

test.each([
  ['prod', 'hand-rolled', 'click-tally'],
  ['dev', 'home-made', 'click-tally or hand-rolled'],
])('%s refuses the aggregator %s in one line', async (stage, aggregator, allowed) => {
  await using dir = await createTestDir();

  const { code, all, readable } = await packageWith(dir, stage, { aggregator });

  expect(code).toBe(1);
  expect(readable.split('\n').at(-1)).toBe(
    `expected the param aggregator of ${stage} to be ${allowed}; ` +
      `got ${aggregator}. Leave it out: only click-tally counts every click.`,
  );
  expect(all).not.toMatch(/^\s+at /m);
});

test.each(['prdo', 'production', 'dev-', 'DEV'])(
  'the stage %s is refused in one line',
  async (stage) => {
    await using dir = await createTestDir();

    const { code, all, readable } = await packageWith(dir, stage, {});

    expect(code).toBe(1);
    expect(readable.split('\n').at(-1)).toBe(
      'expected the stage to be local, dev, staging, prod, or dev-<name> for a stage of your own ' +
        `(a-z, 0-9, -); got ${stage}. If that is its name, add --param anyStage=true.`,
    );
    expect(all).not.toMatch(/^\s+at /m);
  },
);

test.each([
  ['dev-anna', {}],
  ['canary', { anyStage: 'true' }],
])('the stage %s is packaged with %j', async (stage, params) => {
  await using dir = await createTestDir();

  const { code } = await packageWith(dir, stage, params);

  expect(code).toBe(0);
});

test.each([
  ['domain without a certificate', { domainName: 'go.example.com' }],
  ['certificate without a domain', { certificateArn: 'arn:aws:acm:us-east-1:1:certificate/1' }],
])('a %s is refused in one line', async (_, params) => {
  await using dir = await createTestDir();

  const { code, all, readable } = await packageWith(dir, 'prod', params);

  expect(code).toBe(1);
  expect(readable.split('\n').at(-1)).toBe(
    'expected prod to have the params domainName and certificateArn, or neither; ' +
      `got only ${Object.keys(params)}. The certificate must be in the stage's region.`,
  );
  expect(all).not.toMatch(/^\s+at /m);
});

test('a list of blocked domains beyond what Lambda holds is refused in one line', async () => {
  await using dir = await createTestDir();
  const blockedDomains = 'evil.example,'.repeat(237);

  const { code, all, readable } = await packageWith(dir, 'dev', { blockedDomains });

  expect(code).toBe(1);
  expect(readable.split('\n').at(-1)).toBe(
    'expected the param blockedDomains of dev to have at most 3072 bytes; got 3081. It is a ' +
      "function's variable, and these have 4 KB in all. " +
      'Name a domain instead of its subdomains.',
  );
  expect(all).not.toMatch(/^\s+at /m);
});

test.each(['ownDomains', 'blockedDomains'])(
  'an entry of %s that is no domain is refused in one line',
  async (param) => {
    await using dir = await createTestDir();

    const { code, readable } = await packageWith(dir, 'dev', {
      [param]: 'a.example, *.evil.example',
    });

    expect(code).toBe(1);
    expect(readable.split('\n').at(-1)).toBe(
      `expected each entry of the param ${param} of dev to be a domain such as example.com; ` +
        'got *.evil.example. A domain stands for its subdomains too.',
    );
  },
);

test('dev takes the hand-rolled aggregator', async () => {
  await using dir = await createTestDir();

  const { code } = await packageWith(dir, 'dev', { aggregator: 'hand-rolled' });

  expect(code).toBe(0);
  expect(propertiesOf(await readPackage(dir.path), 'AggregateClicksLambdaFunction').Handler).toBe(
    'functions/aggregate-clicks-hand-rolled.handler',
  );
});
