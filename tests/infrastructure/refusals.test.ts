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

const oddAggregator = (stage: string, got: string, allowed: string) =>
  `expected the param aggregator of ${stage} to be ${allowed}; got ${got}. ` +
  'Leave it out: only click-tally counts every click.';
const droppedMetrics = (stage: string, got: string) =>
  `expected the param logLevel of ${stage} to be TRACE, DEBUG, INFO; got ${got}. ` +
  'At any other level, Lambda would drop the metrics, which are log lines, and alarms would not fire.';
const unknownStage = (got: string) =>
  'expected the stage to be local, dev, staging, prod, or dev-<name> for your own stage ' +
  `(a-z, 0-9, -); got ${got}. If the name is right, add --param anyStage=true.`;
const halfDomain = (stage: string, got: string) =>
  `expected ${stage} to have the params domainName and certificateArn, or neither; ` +
  `got only ${got}. The certificate must be in the stage's region.`;
const noDomain = (stage: string, param: string) =>
  `expected each entry of the param ${param} of ${stage} to be a domain such as example.com; ` +
  'got *.evil.example. A domain includes its subdomains.';
const longParam = (stage: string, param: string) =>
  `expected the param ${param} of ${stage} to have at most 3072 bytes; got 3081. It is passed ` +
  "in a function's variables, which are limited to 4 KB. Name a domain instead of its subdomains.";
const oddQueues = (stage: string, got: string) =>
  `expected the param clickQueues of ${stage} to be one of 1, 2, 4, 8, 16, 32, 48; got ${got}. ` +
  "resolve-link can't spread its clicks evenly over other numbers of queues.";
const queuesInUse = (stage: string, all: number, got: string) =>
  `expected the param clickQueuesInUse of ${stage} to be one of 1, 2, 4, 8, 16, 32, 48, and at ` +
  `most clickQueues, ${all}; got ${got}. Leave it out to use all queues.`;
const oddPath = (stage: string) =>
  `expected the param clicksVia of ${stage} to be bus or queue; got sqs.`;
const throttled = (stage: string) =>
  `expected aggregateClicks in the param reservedConcurrency of ${stage} to be at least 32, which is ` +
  'clickQueues × maximumConcurrency; got 20. Lambda would throttle the other batches, and their ' +
  'clicks could become dead letters.';
const longStage = (most: string, got: number) =>
  `expected the stage's name to have at most ${most}; got ${got}. AWS limits the names that contain it.`;
const reservedStage = (got: string) =>
  "expected the stage's name to have only a-z, 0-9 and -, and not to contain aws, amazon or cognito; " +
  `got ${got}. Cognito refuses a domain with that name.`;
const outOfRange = (stage: string, param: string, range: string, got: string) =>
  `expected the param ${param} of ${stage} to be a whole number from ${range}, as AWS requires; got ${got}.`;
const noWindow = (stage: string) =>
  `expected the param batchWindowSeconds of ${stage} to be at least 1, because batchSize is 11; got 0. ` +
  'Lambda gathers more than 10 messages only within a window.';
const shortVisibility = (stage: string, got: number) =>
  `expected the param visibilityTimeoutSeconds of ${stage} to be at least aggregatorTimeoutSeconds, 30; ` +
  `got ${got}. Lambda refuses the queue, because its messages would return while the function still ` +
  'works on them. AWS advises six times as long.';
const shortOfTime = (size: number, memoryMb: number, needed: number, got: number) =>
  `expected the param aggregatorTimeoutSeconds of dev to be at least ${needed} for batches of ${size} ` +
  `clicks with ${memoryMb} MB; got ${got}. Raise it or aggregatorMemoryMb, or lower batchSize.`;
const oddEdge = (stage: string, got: string) =>
  `expected the param edge of ${stage} to be none, both, cloudfront; got ${got}.`;
const noWebAcl = (stage: string) =>
  `expected ${stage} in eu-central-1 to have the param webAclArn, because a web ACL for CloudFront ` +
  'exists only in us-east-1; got none. Create one there, or deploy the stage there.';
const foreignCertificate = (stage: string) =>
  `expected ${stage} to have a certificate in us-east-1 for CloudFront; got ` +
  'arn:aws:acm:eu-central-1:123456789012:certificate/1. Request one there and set the ' +
  'param edgeCertificateArn.';
const noEmail = (stage: string) =>
  `expected ${stage} to have the param alarmEmail (or ALARM_EMAIL in the environment) or ` +
  'alarmEmailParameter; got neither. Without an address, alarms reach nobody, and ' +
  'CloudFormation would delete the subscription of an earlier deployment.';

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
    clickQueues: { all: 4, inUse: 4 },
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
  test.each<[string, Case, ...string[]]>([
    ['an unknown stage', { refused: { stage: 'production' } }, unknownStage('production')],
    ['an incomplete stage', { refused: { stage: 'dev-' } }, unknownStage('dev-')],
    ['upper case', { refused: { stage: 'DEV' } }, unknownStage('DEV')],
    ['a number of queues in words', { refused: queues('four') }, oddQueues('dev', 'four')],
    ['3 queues', { refused: queues(3) }, oddQueues('dev', '3')],
    ['0 queues', { refused: queues(0) }, oddQueues('dev', '0')],
    ['more queues in use than queues', { refused: queues('4', '8') }, queuesInUse('dev', 4, '8')],
    ['3 queues in use', { refused: queues('4', '3') }, queuesInUse('dev', 4, '3')],
    ['no queue in use', { refused: queues('4', '0') }, queuesInUse('dev', 4, '0')],
    [
      'a timeout too short for a full batch',
      fullBatch(10_000, { aggregatorTimeoutSeconds: '5', aggregatorMemoryMb: 1_769 }),
      shortOfTime(10_000, 1_769, 6, 5),
    ],
    [
      'too little memory for a full batch',
      fullBatch('10000', { aggregatorMemoryMb: '128' }),
      shortOfTime(10_000, 128, 45, 30),
    ],
    ['ERROR', { refused: { logLevel: 'ERROR' } }, droppedMetrics('dev', 'ERROR')],
    [
      'a certificate alone',
      { refused: { domain: { name: '', certificateArn: arnIn(here) } } },
      halfDomain('dev', 'certificateArn'),
    ],
    [
      'a wildcard in the other list',
      { refused: { domainLists: { ownDomains: '', blockedDomains: domains } } },
      noDomain('dev', 'blockedDomains'),
    ],
    [
      'a long list of own domains',
      { refused: { domainLists: { ownDomains: longList, blockedDomains: '' } } },
      longParam('dev', 'ownDomains'),
    ],
    [
      'production, with the aggregator for comparison',
      { refused: { aggregator: 'hand-rolled', allowedAggregators: ['click-tally'] } },
      oddAggregator('dev', 'hand-rolled', 'click-tally'),
    ],
    [
      'a name too long for Lambda',
      { refused: { stage: `${longestStage}a` } },
      longStage('31 characters', 32),
    ],
    [
      'a name too long for a backup vault',
      { refused: { stage: `${longestBackedUp}a`, backupDays: '35' } },
      longStage('25 characters with backupDays', 26),
    ],
    ...['dev-lawson', 'dev-aws', 'dev-amazonia', 'dev-newcognito'].map(
      (stage): [string, Case, string] => [
        `the name ${stage}`,
        { refused: { stage } },
        reservedStage(stage),
      ],
    ),
    ...['Canary', 'can_ary'].map((stage): [string, Case, string] => [
      `the name ${stage}`,
      { refused: { stage, anyStage: 'true' } },
      reservedStage(stage),
    ]),
    ...(
      [
        ['batchSize', '1 to 10000', '0'],
        ['batchSize', '1 to 10000', '9.5'],
        ['batchWindowSeconds', '0 to 300', '301'],
        ['maximumConcurrency', '2 to 1000', '1'],
        ['aggregatorTimeoutSeconds', '1 to 900', '0'],
        ['visibilityTimeoutSeconds', '1 to 43200', '43201'],
        ['maxReceiveCount', '1 to 1000', '0'],
        ['maxReceiveCount', '1 to 1000', '-1'],
        ['busRetrySeconds', '60 to 86400', '86401'],
        ['queueRetentionSeconds', '60 to 1209600', '4 days'],
        ['queueRetentionSeconds', '60 to 1209600', ''],
        ['deadLetterRetentionSeconds', '60 to 1209600', '1209601'],
      ] as const
    ).map(([param, range, got]): [string, Case, string] => [
      `${param} ${got}`,
      withNumbers({ [param]: got }),
      outOfRange('dev', param, range, got),
    ]),
    ['a batch without a window', withNumbers({ batchSize: '11' }), noWindow('dev')],
    [
      'a visibility timeout shorter than the function’s',
      withNumbers({ visibilityTimeoutSeconds: '29' }),
      shortVisibility('dev', 29),
    ],
    ['deploying without an address', { refused: noAddress, command: 'deploy' }, noEmail('dev')],
  ])('of %s states the expected and the actual value', (_, wrong, ...refusals) => {
    expect(refuse(wrong)).toEqual(refusals);
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
        clickQueues: 16,
        clickQueuesInUse: 48,
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
      outOfRange('prod', 'maxReceiveCount', '1 to 1000', '0'),
      outOfRange('prod', 'queueRetentionSeconds', '60 to 1209600', '4 days'),
      noWindow('prod'),
      shortVisibility('prod', 29),
      oddAggregator('prod', 'home-made', 'click-tally'),
      droppedMetrics('prod', 'WARN'),
      queuesInUse('prod', 16, '48'),
      oddPath('prod'),
      throttled('prod'),
      halfDomain('prod', 'domainName'),
      noEmail('prod'),
      noWebAcl('prod'),
      foreignCertificate('prod'),
      longParam('prod', 'blockedDomains'),
      noDomain('prod', 'ownDomains'),
    ],
  ],
  [
    'sls deploy of a mistyped stage',
    { command: 'deploy', stage: 'prdo', params: { clickQueues: 64, edge: 'cloudflare' } },
    [unknownStage('prdo'), oddQueues('prdo', '64'), oddEdge('prdo', 'cloudflare')],
  ],
  [
    'sls package of a name that AWS refuses',
    { stage: `dev-lawson-${'x'.repeat(15)}`, params: { backupDays: 35 } },
    [longStage('25 characters with backupDays', 26), reservedStage(`dev-lawson-${'x'.repeat(15)}`)],
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
  const params = { alarmEmailParameter, clickQueuesInUse: 2, edge: 'both', webAclArn, ...domain };

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
