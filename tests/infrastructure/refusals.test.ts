import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
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
  type StageTemplate,
} from './stage-template.ts';

const here = 'us-east-1';
const elsewhere = 'eu-central-1';
const domainName = 'go.example.com';
const arnIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`;
const domains = 'a.example, *.evil.example';
const longList = 'evil.example,'.repeat(237);

const numbers = {
  ...{ batchSize: 10, batchWindowSeconds: 0, maximumConcurrency: 2, maxReceiveCount: 3 },
  ...{ aggregatorTimeoutSeconds: 30, aggregatorMemoryMb: 512, visibilityTimeoutSeconds: 30 },
  ...{ busRetrySeconds: 86_400, queueRetentionSeconds: 345_600 },
  deadLetterRetentionSeconds: 1_209_600,
};
const refusals = createRequire(import.meta.url)('../../infra/refusals.cjs');

interface Case {
  refused?: object;
  edge?: object;
  command?: string;
}

/** Asks the plugin about valid settings with these changes. */
function refuse({ refused, edge, command = 'package' }: Case): string[] {
  const settings = {
    stage: 'dev',
    stages: ['local', 'dev', 'staging', 'prod'],
    ownStage: 'dev-',
    anyStage: false,
    aggregator: 'click-tally',
    allowedAggregators: ['click-tally', 'hand-rolled'],
    domain: { name: '', certificateArn: '' },
    alarmEmail: { required: false, given: '' },
    logLevel: 'INFO',
    clickQueues: { all: 1, inUse: 1 },
    clicksVia: 'bus',
    concurrency: { ofQueue: 2, reserved: {} },
    backupDays: 0,
    numbers,
    domainLists: { ownDomains: '', blockedDomains: '' },
  };
  const edgeSettings = {
    edge: 'none',
    edges: ['none', 'both', 'cloudfront'],
    region: here,
    webAclArn: '',
    certificateArn: '',
  };
  const custom = {
    refusals: { ...settings, ...refused },
    edge: { settings: { ...edgeSettings, ...edge } },
  };
  const processedInput = { commands: command.split(' ') };
  const plugin = new refusals({ service: { custom }, classes: { Error }, processedInput });
  try {
    plugin.hooks.initialize();
  } catch (error) {
    return (error as Error).message.split('\n');
  }
  return [];
}

const withNumbers = (changed: object) => ({ refused: { numbers: { ...numbers, ...changed } } });
const fullBatch = (batchSize: unknown, changed: object) =>
  withNumbers({ batchSize, batchWindowSeconds: 1, ...changed });
const longestStage = `dev-${'a'.repeat(27)}`;
const longestBackedUp = `dev-${'a'.repeat(21)}`;

const queues = (all: unknown, inUse = all) => ({ clickQueues: { all, inUse } });
const ownDomain = { name: domainName, certificateArn: arnIn(here) };
const noAddress = { alarmEmail: { required: true, given: '' } };

describe('a refusal', () => {
  const param = (name: string, expected: string) => `the param ${name} of dev to be ${expected}`;
  const queueNumber = 'one of 1, 2, 4, 8';
  const knownStage = 'the stage to be local, dev, staging, prod, or dev-<name>';
  const validName = "the stage's name to have only a-z, 0-9 and -, and not to contain aws";
  const shortName = (most: string) => `the stage's name to have at most ${most}`;
  const retention = 'a whole number from 60 to 1209600';

  // The runs below have the whole sentences.
  test.each<[Case, expected: string, got: string | number]>([
    ...['production', 'dev-', 'DEV'].map((stage): [Case, string, string] => [
      { refused: { stage } },
      knownStage,
      stage,
    ]),
    ...['four', 3, 0].map((all): [Case, string, string | number] => [
      { refused: queues(all) },
      param('clickQueues', queueNumber),
      all,
    ]),
    ...['8', '3', '0'].map((inUse): [Case, string, string] => [
      { refused: queues('4', inUse) },
      param('clickQueuesInUse', queueNumber),
      inUse,
    ]),
    [
      fullBatch(10_000, { aggregatorTimeoutSeconds: '5', aggregatorMemoryMb: 1_769 }),
      param('aggregatorTimeoutSeconds', 'at least 6 for batches of 10000 clicks with 1769 MB'),
      '5. Raise it or aggregatorMemoryMb, or lower batchSize',
    ],
    [
      fullBatch('10000', { aggregatorMemoryMb: '128' }),
      param('aggregatorTimeoutSeconds', 'at least 45 for batches of 10000 clicks with 128 MB'),
      30,
    ],
    [{ refused: { logLevel: 'ERROR' } }, param('logLevel', 'TRACE, DEBUG, INFO'), 'ERROR'],
    [
      { refused: { domain: { name: '', certificateArn: arnIn(here) } } },
      'dev to have the params domainName and certificateArn, or neither',
      'only certificateArn',
    ],
    [
      { refused: { domainLists: { ownDomains: '', blockedDomains: domains } } },
      'each entry of the param blockedDomains of dev to be a domain',
      '*.evil.example',
    ],
    [
      { refused: { domainLists: { ownDomains: longList, blockedDomains: '' } } },
      'the param ownDomains of dev to have at most 3072 bytes',
      3081,
    ],
    [
      { refused: { aggregator: 'hand-rolled', allowedAggregators: ['click-tally'] } },
      param('aggregator', 'click-tally'),
      'hand-rolled',
    ],
    [{ refused: { stage: `${longestStage}a` } }, shortName('31 characters'), 32],
    [
      { refused: { stage: `${longestBackedUp}a`, backupDays: '35' } },
      shortName('25 characters with backupDays'),
      26,
    ],
    ...['dev-lawson', 'dev-aws', 'dev-amazonia', 'dev-newcognito', 'Canary', 'can_ary'].map(
      (stage): [Case, string, string] => [
        { refused: { stage, anyStage: stage.startsWith('dev') ? false : 'true' } },
        validName,
        stage,
      ],
    ),
    ...(
      [
        ['batchSize', 'a whole number from 1 to 10000', '0'],
        ['batchSize', 'a whole number from 1 to 10000', '9.5'],
        ['batchWindowSeconds', 'a whole number from 0 to 300', '301'],
        ['maximumConcurrency', 'a whole number from 2 to 1000', '1'],
        ['aggregatorTimeoutSeconds', 'a whole number from 1 to 900', '0'],
        ['visibilityTimeoutSeconds', 'a whole number from 1 to 43200', '43201'],
        ['visibilityTimeoutSeconds', 'at least aggregatorTimeoutSeconds, 30', '29'],
        ['maxReceiveCount', 'a whole number from 1 to 1000', '0'],
        ['maxReceiveCount', 'a whole number from 1 to 1000', '-1'],
        ['busRetrySeconds', 'a whole number from 60 to 86400', '86401'],
        ['queueRetentionSeconds', retention, '4 days'],
        ['queueRetentionSeconds', retention, ''],
        ['deadLetterRetentionSeconds', retention, '1209601'],
      ] as const
    ).map(([name, expected, got]): [Case, string, string] => [
      withNumbers({ [name]: got }),
      param(name, expected),
      got,
    ]),
    [withNumbers({ batchSize: '11' }), param('batchWindowSeconds', 'at least 1'), 0],
    [{ refused: noAddress, command: 'deploy' }, 'dev to have the param alarmEmail', 'neither'],
  ])('of %j states the expected value, %s, and the actual one: %s', (wrong, expected, got) => {
    const [refusal, ...others] = refuse(wrong);

    expect(refusal).toContain(`expected ${expected}`);
    expect(refusal).toContain(`; got ${got}.`);
    expect(others).toEqual([]);
  });

  test.each<[string, Case]>([
    ['valid settings', {}],
    ['a stage of your own', { refused: { stage: 'dev-anna' } }],
    ['the longest name', { refused: { stage: longestStage } }],
    ['the longest name with backups', { refused: { stage: longestBackedUp, backupDays: 35 } }],
    [
      'removing a stage with a long name',
      { refused: { stage: `${longestStage}a` }, command: 'remove' },
    ],
    ['a batch with a window', withNumbers({ batchSize: '10000', batchWindowSeconds: '1' })],
    ['a stage of any name', { refused: { stage: 'canary', anyStage: 'true' } }],
    ['fewer queues in use', { refused: queues('4', '2') }],
    ['a domain', { refused: { domain: ownDomain } }],
    [
      'just enough time for a full batch',
      fullBatch('2000', { aggregatorTimeoutSeconds: '4', aggregatorMemoryMb: '512' }),
    ],
    [
      'removing a stage whose batches were too large',
      { ...fullBatch('10000', { aggregatorTimeoutSeconds: '5' }), command: 'remove' },
    ],
    ['lists of domains', { refused: { domainLists: { ownDomains: 'a.example, b.example.' } } }],
    [
      'just enough concurrency',
      { refused: { concurrency: { ofQueue: 2, reserved: { aggregateClicks: 8 } } } },
    ],
    ['CloudFront', { edge: { edge: 'cloudfront', certificateArn: arnIn(here) } }],
    [
      'a certificate elsewhere without CloudFront',
      { edge: { region: elsewhere, certificateArn: arnIn(elsewhere) } },
    ],
    ['removing a stage without an address', { refused: noAddress, command: 'remove' }],
    ['showing its info', { refused: noAddress, command: 'info' }],
    ['showing its logs', { refused: noAddress, command: 'logs' }],
  ])('is not raised for %s', (_, right) => {
    expect(refuse(right)).toEqual([]);
  });
});

/** Without the developer's ALARM_EMAIL and credentials. */
const bareEnvironment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
};

const noTemplate: StageTemplate = { Resources: {}, Outputs: {}, Conditions: {} };

interface Run {
  command?: string;
  stage: string;
  params?: ServiceParams;
  region?: string;
}

/** Runs the framework on empty functions. Returns its exit code, output and template. */
async function run({ command = 'package', stage, params, region = here }: Run) {
  await using dir = await createTestDir();
  const output = command === 'remove' ? [] : ['--package', dir.path];
  const args = [command, '--stage', stage, '--region', region, ...output, ...paramArgs(params)];
  const child = await startServerless(args, {
    env: bareEnvironment,
    isEmpty: true,
  });
  const code = await child.exited;
  const lines = readOutput(child).split('\n');
  const template = code === 0 ? await readPackage(dir.path) : noTemplate;
  return { code, all: child.output(), lines, template };
}

// Together, these cover every refusal in serverless.yml.
test.each<[string, Run, string[]]>([
  [
    'sls package of prod',
    {
      stage: 'prod',
      region: elsewhere,
      params: {
        aggregator: 'home-made',
        logLevel: 'WARN',
        clickQueues: 8,
        clickQueuesInUse: 16,
        maximumConcurrency: 4,
        clicksVia: 'sqs',
        batchSize: 11,
        batchWindowSeconds: 0,
        visibilityTimeoutSeconds: 29,
        maxReceiveCount: 0,
        queueRetentionSeconds: '4 days',
        domainName,
        edge: 'both',
        edgeCertificateArn: arnIn(elsewhere),
        ownDomains: domains,
        blockedDomains: longList,
      },
    },
    [
      'expected the param maxReceiveCount of prod to be a whole number from 1 to 1000, as AWS requires; got 0.',
      'expected the param queueRetentionSeconds of prod to be a whole number from 60 to 1209600, as AWS requires; got 4 days.',
      'expected the param batchWindowSeconds of prod to be at least 1, because batchSize is 11; got 0. ' +
        'Lambda gathers more than 10 messages only within a window.',
      'expected the param visibilityTimeoutSeconds of prod to be at least aggregatorTimeoutSeconds, 30; ' +
        'got 29. Lambda refuses the queue, because its messages would return while the function still ' +
        'works on them. AWS advises six times as long.',
      'expected the param aggregator of prod to be click-tally; got home-made. ' +
        'Leave it out: only click-tally counts every click.',
      'expected the param logLevel of prod to be TRACE, DEBUG, INFO; got WARN. ' +
        'At any other level, Lambda would drop the metrics, which are log lines, and alarms would not fire.',
      'expected the param clickQueuesInUse of prod to be one of 1, 2, 4, 8, and at ' +
        'most clickQueues, 8; got 16. Leave it out to use all queues.',
      'expected the param clicksVia of prod to be bus or queue; got sqs.',
      'expected aggregateClicks in the param reservedConcurrency of prod to be at least 32, which is ' +
        'clickQueues × maximumConcurrency; got 20. Lambda would throttle the other batches, and their ' +
        'clicks could become dead letters.',
      'expected prod to have the params domainName and certificateArn, or neither; ' +
        "got only domainName. The certificate must be in the stage's region.",
      'expected prod to have the param alarmEmail (or ALARM_EMAIL in the environment) or ' +
        'alarmEmailParameter; got neither. Without an address, alarms reach nobody, and ' +
        'CloudFormation would delete the subscription of an earlier deployment.',
      'expected prod in eu-central-1 to have the param webAclArn, because a web ACL for CloudFront ' +
        'exists only in us-east-1; got none. Create one there, or deploy the stage there.',
      'expected prod to have a certificate in us-east-1 for CloudFront; got ' +
        'arn:aws:acm:eu-central-1:123456789012:certificate/1. Request one there and set the ' +
        'param edgeCertificateArn.',
      'expected the param blockedDomains of prod to have at most 3072 bytes; got 3081. It is passed ' +
        "in a function's variables, which are limited to 4 KB. Name a domain instead of its subdomains.",
      'expected each entry of the param ownDomains of prod to be a domain such as example.com; ' +
        'got *.evil.example. A domain includes its subdomains.',
    ],
  ],
  [
    'sls deploy of a mistyped stage',
    { command: 'deploy', stage: 'prdo', params: { clickQueues: 64, edge: 'cloudflare' } },
    [
      'expected the stage to be local, dev, staging, prod, or dev-<name> for your own stage ' +
        '(a-z, 0-9, -); got prdo. If the name is right, add --param anyStage=true.',
      'expected the param clickQueues of prdo to be one of 1, 2, 4, 8; got 64. ' +
        "resolve-link can't spread its clicks evenly over other numbers of queues.",
      'expected the param edge of prdo to be none, both, cloudfront; got cloudflare.',
    ],
  ],
  [
    'sls package of a name that AWS refuses',
    { stage: `dev-lawson-${'x'.repeat(15)}`, params: { backupDays: 35 } },
    [
      "expected the stage's name to have at most 25 characters with backupDays; got 26. AWS limits the names that contain it.",
      "expected the stage's name to have only a-z, 0-9 and -, and not to contain aws, amazon or cognito; " +
        `got dev-lawson-${'x'.repeat(15)}. Cognito refuses a domain with that name.`,
    ],
  ],
])('%s fails with a line for each reason', async (_, wrong, refusals) => {
  const { code, all, lines } = await run(wrong);

  expect(code).toBe(1);
  expect(lines.slice(-refusals.length)).toEqual(refusals);
  expect(all).not.toMatch(/^\s+at /m);
});

test('anyStage allows a stage of any name, with a domain and the hand-rolled aggregator', async () => {
  const domain = { domainName, certificateArn: arnIn(here) };
  const params = { anyStage: 'true', aggregator: 'hand-rolled', ...domain };

  const { code, template } = await run({ stage: 'canary', params });

  expect(code).toBe(0);
  expect(propertiesOf(template, 'AggregateClicksLambdaFunction').Handler).toBe(
    'functions/aggregate-clicks-hand-rolled.handler',
  );
  expect(propertiesOf(template, 'ApiDomain')).toMatchObject({ DomainName: domainName });
  expect(template.Outputs.DomainTarget?.Value).toEqual({
    'Fn::GetAtt': ['ApiDomain', 'RegionalDomainName'],
  });
});

test("prod accepts a parameter's name for the e-mail, and CloudFront from another Region", async () => {
  const alarmEmailParameter = '/click-tally/prod/alarm-email';
  const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/edge/1';
  const domain = { domainName, certificateArn: arnIn(elsewhere), edgeCertificateArn: arnIn(here) };
  const params = { alarmEmailParameter, clickQueues: 2, clickQueuesInUse: 1, edge: 'both', webAclArn, ...domain };

  const { code, template } = await run({ stage: 'prod', params, region: elsewhere });

  expect(code).toBe(0);
  const { Endpoint } = propertiesOf(template, 'AlarmEmail') as { Endpoint: Record<string, string> };
  const [condition, reference] = Endpoint['Fn::If'] ?? [];
  expect(template.Conditions[`${condition}`]).toEqual({
    'Fn::Not': [{ 'Fn::Equals': [alarmEmailParameter, ''] }],
  });
  expect(resolve(template, reference)).toBe(`{{resolve:ssm:${alarmEmailParameter}}}`);
  expect(isTrue(template, 'HasOwnWebAcl')).toBe(false);
  expect(resolve(template, propertiesOf(template, 'Distribution'))).toMatchObject({
    DistributionConfig: {
      WebACLId: webAclArn,
      ViewerCertificate: { AcmCertificateArn: arnIn(here) },
    },
  });
  // Queues that aren't in use any more are still emptied.
  const readQueues = (id: string) => environmentOf(template, id).CLICK_QUEUES;
  expect(readQueues('ResolveLinkLambdaFunction')).toBe('2');
  expect(readQueues('GetBacklogLambdaFunction')).toBe('4');
  expect(Object.keys(template.Resources)).toEqual(
    expect.arrayContaining([`${mappingId}3`, `${mappingId}4`, 'ClickRule3', 'ClickRule4']),
  );
});
