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
  const child = await startServerless(['package', '--stage', stage, ...options], { isEmpty: true });
  return { code: await child.exited, all: child.output(), readable: readOutput(child) };
}

/** Splits off the lines of a refusal, which are the last that the framework prints. */
const lastLines = (output: string, count: number) => output.split('\n').slice(-count);

const oddAggregator = (stage: string, got: string, allowed: string) =>
  `expected the param aggregator of ${stage} to be ${allowed}; got ${got}. ` +
  'Leave it out: only click-tally counts every click.';
const droppedMetrics = (got: string) =>
  `expected the param logLevel of dev to be TRACE, DEBUG, INFO; got ${got}. ` +
  'At any other level, Lambda would drop the metrics, which are log lines, and no alarm would ring.';
const unknownStage = (got: string) =>
  'expected the stage to be local, dev, staging, prod, or dev-<name> for a stage of your own ' +
  `(a-z, 0-9, -); got ${got}. If that is its name, add --param anyStage=true.`;
const halfDomain = (got: string) =>
  'expected dev to have the params domainName and certificateArn, or neither; ' +
  `got only ${got}. The certificate must be in the stage's region.`;
const noDomain = (param: string) =>
  `expected each entry of the param ${param} of dev to be a domain such as example.com; ` +
  'got *.evil.example. A domain stands for its subdomains too.';
const oddQueues = (stage: string, got: string) =>
  `expected the param clickQueues of ${stage} to be one of 1, 2, 4, 8, 16, 32, 48; got ${got}. ` +
  'resolve-link spreads its clicks evenly over no other number of queues.';
const queuesInUse = (stage: string, all: number, got: string) =>
  `expected the param clickQueuesInUse of ${stage} to be one of 1, 2, 4, 8, 16, 32, 48, and at ` +
  `most clickQueues, ${all}; got ${got}. Leave it out to use all queues.`;

const here = 'us-east-1';
const elsewhere = 'eu-central-1';
const domainName = 'go.example.com';
const arnIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`;
const domains = 'a.example, *.evil.example';

/** Wrong settings, as many together as have nothing to do with each other, and what each is told. */
const wrong: [stage: string, params: ServiceParams, refusals: string[], region?: string][] = [
  ['prdo', { clickQueues: 64 }, [unknownStage('prdo'), oddQueues('prdo', '64')]],
  [
    'production',
    { clickQueues: 'four' },
    [unknownStage('production'), oddQueues('production', 'four')],
  ],
  [
    'dev-',
    { clickQueues: 4, clickQueuesInUse: 8 },
    [unknownStage('dev-'), queuesInUse('dev-', 4, '8')],
  ],
  [
    'DEV',
    { clickQueues: 4, clickQueuesInUse: 3 },
    [unknownStage('DEV'), queuesInUse('DEV', 4, '3')],
  ],
  [
    'dev',
    {
      aggregator: 'home-made',
      logLevel: 'WARN',
      clickQueues: 3,
      domainName,
      edge: 'cloudflare',
      blockedDomains: 'evil.example,'.repeat(237),
    },
    [
      oddAggregator('dev', 'home-made', 'click-tally or hand-rolled'),
      droppedMetrics('WARN'),
      oddQueues('dev', '3'),
      halfDomain('domainName'),
      'expected the param edge of dev to be none, both, cloudfront; got cloudflare.',
      'expected the param blockedDomains of dev to have at most 3072 bytes; got 3081. It is a ' +
        "function's variable, and these have 4 KB in all. " +
        'Name a domain instead of its subdomains.',
    ],
  ],
  [
    'dev',
    { logLevel: 'ERROR', clickQueues: 0, certificateArn: arnIn(here), ownDomains: domains },
    [
      droppedMetrics('ERROR'),
      oddQueues('dev', '0'),
      halfDomain('certificateArn'),
      noDomain('ownDomains'),
    ],
  ],
  [
    'dev',
    { clickQueues: 4, clickQueuesInUse: 0, blockedDomains: domains },
    [queuesInUse('dev', 4, '0'), noDomain('blockedDomains')],
  ],
  [
    'prod',
    { alarmEmail, aggregator: 'hand-rolled', clickQueues: 16 },
    [
      oddAggregator('prod', 'hand-rolled', 'click-tally'),
      'expected aggregateClicks in the param reservedConcurrency of prod to be at least 32, which is ' +
        'clickQueues × maximumConcurrency; got 20. Lambda would throttle the other batches, and their ' +
        'clicks could become dead letters.',
    ],
  ],
  [
    'dev',
    { edge: 'both', domainName, certificateArn: arnIn(elsewhere) },
    [
      'expected dev in eu-central-1 to have the param webAclArn, because a web ACL for CloudFront ' +
        'exists only in us-east-1; got none. Create one there, or deploy there.',
      'expected dev to have a certificate of us-east-1 for CloudFront; got ' +
        'arn:aws:acm:eu-central-1:123456789012:certificate/1. Request one there, as the param ' +
        'edgeCertificateArn.',
    ],
    elsewhere,
  ],
];

test.each(wrong)('%s with %j is refused, with a line for each reason', async (...wrongs) => {
  const [stage, params, refusals, region] = wrongs;
  await using dir = await createTestDir();

  const { code, all, readable } = await packageWith(dir, stage, params, region);

  expect(code).toBe(1);
  expect(lastLines(readable, refusals.length)).toEqual(refusals);
  expect(all).not.toMatch(/^\s+at /m);
});

test('a stage of your own has its settings, and queues no longer in use are emptied', async () => {
  await using dir = await createTestDir();

  const { code } = await packageWith(dir, 'dev-anna', { clickQueues: 4, clickQueuesInUse: 2 });

  expect(code).toBe(0);
  const template = await readPackage(dir.path);
  const readQueues = (id: string) => environmentOf(template, id).CLICK_QUEUES;
  expect(readQueues('ResolveLinkLambdaFunction')).toBe('2');
  expect(readQueues('GetBacklogLambdaFunction')).toBe('4');
  expect(Object.keys(template.Resources)).toEqual(
    expect.arrayContaining([`${mappingId}3`, `${mappingId}4`, 'ClickRule3', 'ClickRule4']),
  );
});

test('a stage of any name may be asked for, and may take the hand-rolled aggregator', async () => {
  await using dir = await createTestDir();
  const params = { anyStage: 'true', aggregator: 'hand-rolled' };

  const { code } = await packageWith(dir, 'canary', params);

  expect(code).toBe(0);
  expect(propertiesOf(await readPackage(dir.path), 'AggregateClicksLambdaFunction').Handler).toBe(
    'functions/aggregate-clicks-hand-rolled.handler',
  );
});

test('CloudFront serves another Region with a web ACL and a certificate of its own', async () => {
  await using dir = await createTestDir();
  const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/edge/1';
  const domain = { domainName, certificateArn: arnIn(elsewhere) };
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
    isEmpty: true,
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
