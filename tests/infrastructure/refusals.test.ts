import { expect, test } from 'vitest';
import {
  paramArgs,
  readOutput,
  type ServiceParams,
  startServerless,
} from '../../local/engines/serverless.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import {
  environmentOf,
  isTrue,
  mappingId,
  propertiesOf,
  readPackage,
  resolve,
} from './stage-template.ts';

const alarmEmail = 'alarms@example.com';

/** Packages a stage and returns the exit code and all that the framework printed. */
async function packageWith(
  dir: { path: string },
  stage: string,
  params: ServiceParams,
  region = 'us-east-1',
) {
  const options = ['--region', region, '--package', dir.path, ...paramArgs(params)];
  const child = await startServerless(['package', '--stage', stage, ...options]);
  return { code: await child.exited, all: child.output(), readable: readOutput(child) };
}

test.each([
  ['prod', 'hand-rolled', 'click-tally'],
  ['dev', 'home-made', 'click-tally or hand-rolled'],
])('%s refuses the aggregator %s in one line', async (stage, aggregator, allowed) => {
  await using dir = await createTestDir();

  const { code, all, readable } = await packageWith(dir, stage, { aggregator, alarmEmail });

  expect(code).toBe(1);
  expect(readable.split('\n').at(-1)).toBe(
    `expected the param aggregator of ${stage} to be ${allowed}; ` +
      `got ${aggregator}. Leave it out: only click-tally counts every click.`,
  );
  expect(all).not.toMatch(/^\s+at /m);
});

test.each(['WARN', 'ERROR'])(
  'the log level %s, at which Lambda would drop the metrics, is refused in one line',
  async (logLevel) => {
    await using dir = await createTestDir();

    const { code, all, readable } = await packageWith(dir, 'dev', { logLevel });

    expect(code).toBe(1);
    expect(readable.split('\n').at(-1)).toBe(
      `expected the param logLevel of dev to be TRACE, DEBUG, INFO; got ${logLevel}. ` +
        'At any other level, Lambda would drop the metrics, which are log lines, and no alarm would ring.',
    );
    expect(all).not.toMatch(/^\s+at /m);
  },
);

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

  const { code, all, readable } = await packageWith(dir, 'prod', { ...params, alarmEmail });

  expect(code).toBe(1);
  expect(readable.split('\n').at(-1)).toBe(
    'expected prod to have the params domainName and certificateArn, or neither; ' +
      `got only ${Object.keys(params)}. The certificate must be in the stage's region.`,
  );
  expect(all).not.toMatch(/^\s+at /m);
});

const oddQueues = (got: string) =>
  `expected the param clickQueues of dev to be one of 1, 2, 4, 8, 16, 32, 48; got ${got}. ` +
  'resolve-link spreads its clicks evenly over no other number of queues.';
const queuesInUse = (all: number, got: string) =>
  'expected the param clickQueuesInUse of dev to be one of 1, 2, 4, 8, 16, 32, 48, and at most ' +
  `clickQueues, ${all}; got ${got}. Leave it out to use all queues.`;

test.each([
  [{ clickQueues: 3 }, oddQueues('3')],
  [{ clickQueues: 0 }, oddQueues('0')],
  [{ clickQueues: 64 }, oddQueues('64')],
  [{ clickQueues: 'four' }, oddQueues('four')],
  [{ clickQueues: 4, clickQueuesInUse: 8 }, queuesInUse(4, '8')],
  [{ clickQueues: 4, clickQueuesInUse: 3 }, queuesInUse(4, '3')],
  [{ clickQueues: 4, clickQueuesInUse: 0 }, queuesInUse(4, '0')],
] as [ServiceParams, string][])('%j is refused in one line', async (params, refusal) => {
  await using dir = await createTestDir();

  const { code, all, readable } = await packageWith(dir, 'dev', params);

  expect(code).toBe(1);
  expect(readable.split('\n').at(-1)).toBe(refusal);
  expect(all).not.toMatch(/^\s+at /m);
});

test('more batches at once than concurrency is reserved for are refused in one line', async () => {
  await using dir = await createTestDir();

  const { code, readable } = await packageWith(dir, 'prod', { alarmEmail, clickQueues: 16 });

  expect(code).toBe(1);
  expect(readable.split('\n').at(-1)).toBe(
    'expected aggregateClicks in the param reservedConcurrency of prod to be at least 32, which is ' +
      'clickQueues × maximumConcurrency; got 20. Lambda would throttle the other batches, and their ' +
      'clicks could become dead letters.',
  );
});

test('queues that are no longer in use are still emptied and seen', async () => {
  await using dir = await createTestDir();

  const { code } = await packageWith(dir, 'dev', { clickQueues: 4, clickQueuesInUse: 2 });

  expect(code).toBe(0);
  const template = await readPackage(dir.path);
  const readQueues = (id: string) => environmentOf(template, id).CLICK_QUEUES;
  expect(readQueues('ResolveLinkLambdaFunction')).toBe('2');
  expect(readQueues('GetBacklogLambdaFunction')).toBe('4');
  expect(Object.keys(template.Resources)).toEqual(
    expect.arrayContaining([`${mappingId}3`, `${mappingId}4`, 'ClickRule3', 'ClickRule4']),
  );
});

const here = 'us-east-1';
const elsewhere = 'eu-central-1';
const arnIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`;
const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/edge/1';

test.each([
  [
    'an edge that does not exist',
    ...[here, { edge: 'cloudflare' }],
    'expected the param edge of dev to be none, both, cloudfront; got cloudflare.',
  ],
  [
    'CloudFront without a web ACL in another Region',
    ...[elsewhere, { edge: 'cloudfront' }],
    'expected dev in eu-central-1 to have the param webAclArn, because a web ACL for CloudFront ' +
      'exists only in us-east-1; got none. Create one there, or deploy there.',
  ],
  [
    'CloudFront with a certificate of another Region',
    elsewhere,
    { edge: 'both', webAclArn, domainName: 'go.example.com', certificateArn: arnIn(elsewhere) },
    'expected dev to have a certificate of us-east-1 for CloudFront; got ' +
      'arn:aws:acm:eu-central-1:123456789012:certificate/1. Request one there, as the param ' +
      'edgeCertificateArn.',
  ],
] as [string, string, ServiceParams, string][])(
  '%s is refused in one line',
  async (_, region, params, refusal) => {
    await using dir = await createTestDir();

    const { code, all, readable } = await packageWith(dir, 'dev', params, region);

    expect(code).toBe(1);
    expect(readable.split('\n').at(-1)).toBe(refusal);
    expect(all).not.toMatch(/^\s+at /m);
  },
);

test('CloudFront serves another Region with a web ACL and a certificate of its own', async () => {
  await using dir = await createTestDir();
  const domain = { domainName: 'go.example.com', certificateArn: arnIn(elsewhere) };
  const params = { edge: 'both', webAclArn, ...domain, edgeCertificateArn: arnIn(here) };

  const { code } = await packageWith(dir, 'dev', params, elsewhere);

  expect(code).toBe(0);
  const template = await readPackage(dir.path);
  expect(isTrue(template, 'HasOwnWebAcl')).toBe(false);
  expect(resolve(template, propertiesOf(template, 'Distribution'))).toMatchObject({
    DistributionConfig: {
      WebACLId: webAclArn,
      ViewerCertificate: { AcmCertificateArn: arnIn(here) },
    },
  });
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

const noEmail =
  'expected prod to have the param alarmEmail (or ALARM_EMAIL in the environment) or ' +
  'alarmEmailParameter; got neither. Without an address, nobody would receive the alarms, and ' +
  'CloudFormation would delete the subscription of an earlier deployment.';

/** Without ALARM_EMAIL and without credentials, whatever the developer has. */
const bareEnvironment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
};

test.each(['package', 'deploy'])('sls %s refuses prod without an e-mail', async (command) => {
  const child = await startServerless([command, '--stage', 'prod'], { env: bareEnvironment });

  expect(await child.exited).toBe(1);
  expect(readOutput(child).split('\n').at(-1)).toBe(noEmail);
  expect(child.output()).not.toMatch(/^\s+at /m);
});

test.each(['remove', 'info', 'logs --function resolveLink'])(
  'sls %s of prod needs credentials, but no e-mail',
  async (command) => {
    const args = [...command.split(' '), '--stage', 'prod'];
    const child = await startServerless(args, { env: bareEnvironment });

    expect(await child.exited).toBe(1);
    expect(child.output()).toMatch(/credentials/i);
    expect(child.output()).not.toContain('alarmEmail');
  },
);

// Packaging takes long on a busy machine.
const timeout = 180_000;

test('the name of a parameter is as good as the e-mail in it', { timeout }, async () => {
  await using dir = await createTestDir();
  const alarmEmailParameter = '/click-tally/prod/alarm-email';
  const options = ['--package', dir.path, ...paramArgs({ alarmEmailParameter })];

  const child = await startServerless(['package', '--stage', 'prod', ...options], {
    env: bareEnvironment,
  });

  expect(await child.exited).toBe(0);
  const template = await readPackage(dir.path);
  const { Endpoint } = propertiesOf(template, 'AlarmEmail') as { Endpoint: Record<string, string> };
  const [condition, reference] = Endpoint['Fn::If'] ?? [];
  expect(template.Conditions[`${condition}`]).toEqual({
    'Fn::Not': [{ 'Fn::Equals': [alarmEmailParameter, ''] }],
  });
  expect(resolve(template, reference)).toBe(`{{resolve:ssm:${alarmEmailParameter}}}`);
});
