import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  paramArgs,
  readOutput,
  type ServiceParams,
  startServerless,
} from '../../local/engines/serverless.ts';
import { isolatedEnvironment } from '../helpers/command.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import { mappingId, openPackage, packageDirOf } from './stage-template.ts';

const here = 'us-east-1';
const elsewhere = 'eu-central-1';
const domainName = 'go.example.com';
const arnIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`;
const longList = 'evil.example,'.repeat(237);
const settingsChecks = createRequire(import.meta.url)('../../infra/settings-checks.cjs');
const state = await readFile(path.join(packageDirOf('dev'), 'serverless-state.json'), 'utf8');
const { custom, initialServerlessConfig } = JSON.parse(state).service;

/** Changes of dev's settings. Numbers, the edge's settings and params are changed one by one. */
interface Changes extends Record<string, unknown> {
  numbers?: object;
  edge?: object;
  command?: string;
  params?: object;
}

/** The plugin's errors about dev's settings with these changes, and its warnings. */
function judge({ numbers, edge, command = 'package', params, ...others }: Changes) {
  const changed = {
    checkedSettings: {
      ...custom.checkedSettings,
      ...others,
      numbers: { ...custom.checkedSettings.numbers, ...numbers },
    },
    edge: { settings: { ...custom.edge.settings, ...edge } },
  };
  const framework = {
    service: { custom: changed },
    classes: { Error },
    processedInput: { commands: command.split(' '), options: {} },
    configurationInput: { params: { ...initialServerlessConfig.params, ...params } },
  };
  const warned: string[] = [];
  const log = { warning: (text: string) => warned.push(text) };
  const plugin = new settingsChecks(framework, {}, { log });
  try {
    plugin.hooks.initialize();
  } catch (error) {
    return { errors: (error as Error).message.split('\n'), warned };
  }
  return { errors: [], warned };
}

const listErrors = (changes: Changes) => judge(changes).errors;

const batch = (batchSize: number | string, changed: object) => ({
  numbers: { batchSize, batchWindowSeconds: 1, ...changed },
});
const longest = `dev-${'a'.repeat(27)}`;
const backedUp = `dev-${'a'.repeat(21)}`;
const noAddress = { alarmEmail: { required: true, given: '' } };

describe('an error', () => {
  test.each<[Changes, expected: string, got: string | number]>([
    [{ stage: 'production' }, 'the stage to be local', 'production'],
    [{ stage: 'dev-' }, 'the stage to be local', 'dev-'],
    [{ stage: 'DEV' }, 'the stage to be local', 'DEV'],
    [{ stage: 'dev-lawson' }, 'not to contain aws, amazon or cognito', 'dev-lawson'],
    [{ stage: 'Canary', anyStage: true }, 'only a-z', 'Canary'],
    [{ clickQueues: { all: 3, inUse: 3 } }, 'one of 1, 2, 4, 8', 3],
    [{ clickQueues: { all: '4', inUse: '8' } }, 'one of 1, 2, 4, 8', 8],
    [{ stage: `${longest}a` }, 'at most 31 characters', 32],
    [{ stage: `${backedUp}a`, backupDays: '35' }, 'at most 25 characters with', 26],
    [batch(10_000, { aggregatorTimeoutSeconds: 15, aggregatorMemoryMb: 1_769 }), 'at least 16', 15],
    [batch('10000', { aggregatorMemoryMb: '128' }), 'to be at least 164 for 10499 clicks', 5],
    [batch('1', { aggregatorTimeoutSeconds: 1 }), 'to be at least 3 for 500 clicks', 1],
    [batch('11', { batchWindowSeconds: 0 }), 'batchWindowSeconds of dev to be at least 1', 0],
    [{ numbers: { deadLetterRetentionSeconds: '691200' } }, 'more than twice', '691200'],
    [{ billing: 'PROVISIONED' }, 'billing of dev to be onDemand or provisioned', 'PROVISIONED'],
    [{ billing: 'provisioned' }, 'visibilityTimeoutSeconds × maxReceiveCount of dev', 90],
    [{ params: { prod: { dataDeletionPolicy: 1 } } }, 'among serverless.yml', 'dataDeletionPolicy'],
    [
      { params: { prod: { requestsPerSecond: { owners: 5 } } } },
      'every kind',
      'none for visitors, previews, programs, page, live',
    ],
    [{ logLevel: 'ERROR' }, 'the param logLevel of dev to be TRACE, DEBUG, INFO', 'ERROR'],
    [{ domain: { name: '', certificateArn: arnIn(here) } }, 'or neither', 'only certificateArn'],
    [
      { domain: { name: domainName, certificateArn: arnIn(elsewhere) } },
      `a certificate in ${here} for its domain`,
      arnIn(elsewhere),
    ],
    [{ domainLists: { blockedDomains: 'a.example, *.b' } }, 'the param blockedDomains', '*.b'],
    [{ domainLists: { ownDomains: longList } }, 'ownDomains of dev to have at most 3072', 3081],
    [{ aggregator: 'home-made' }, 'of dev to be click-tally or hand-rolled', 'home-made'],
    [{ edge: { edge: 'cloudflare' } }, 'edge of dev to be none, both, cloudfront', 'cloudflare'],
    [{ ...noAddress, command: 'deploy' }, 'dev to have the param alarmEmail', 'neither'],
    [{ numbers: { batchSize: '0' } }, 'batchSize of dev to be a whole number from 1 to 10000', 0],
    [{ numbers: { maximumConcurrency: '1' } }, 'to be a whole number from 2 to 1000', 1],
    [{ numbers: { visibilityTimeoutSeconds: '4' } }, 'at least aggregatorTimeoutSeconds, 5', 4],
    [{ numbers: { staleLinkSeconds: '86401' } }, 'a whole number from 0 to 86400', 86_401],
    [{ numbers: { busRetrySeconds: '86401' } }, 'to be a whole number from 60 to 86400', 86_401],
  ])('of %j states the expected value, %s, and the actual one: %s', (wrong, expected, got) => {
    const [error, ...others] = listErrors(wrong);

    expect(error).toContain(expected);
    expect(error).toContain(`; got ${got}.`);
    expect(others).toEqual([]);
  });

  test.each<Changes>([
    {},
    { stage: 'dev-anna' },
    { stage: longest },
    { stage: backedUp, backupDays: 35 },
    { stage: 'canary', anyStage: 'true' },
    { stage: `${longest}a`, command: 'remove' },
    batch('10000', { aggregatorTimeoutSeconds: '25', aggregatorMemoryMb: 1_024 }),
    { ...batch('10000', {}), command: 'remove' },
    { billing: 'provisioned', numbers: { visibilityTimeoutSeconds: 180, maxReceiveCount: '20' } },
    {
      clickQueues: { all: '4', inUse: '2' },
      concurrency: { ofQueue: 2, reserved: { aggregateClicks: 8 } },
    },
    { domain: { name: domainName, certificateArn: arnIn(here) } },
    { domainLists: { ownDomains: 'a.example, b.example.' } },
    { edge: { region: elsewhere, certificateArn: arnIn(elsewhere) } },
    ...['remove', 'logs'].map((command) => ({ ...noAddress, command })),
  ])('is not raised for %j', (right) => {
    expect(listErrors(right)).toEqual([]);
  });
});

// dev lets 100 visitors in, and prod 2,000.
const busy = { requestsPerSecond: { visitors: 2_000 } };

test.each<[Changes, quota: number]>([
  [{ ...busy, edge: { region: 'ap-southeast-2' } }, 1_200],
  [{ ...busy, edge: { region: 'eu-west-3' } }, 600],
  [{ ...busy, edge: { region: 'eu-south-1' } }, 400],
  [{ ...busy, edge: { region: 'eu-south-1' }, command: 'deploy' }, 400],
])('%j warns that its Region accepts only %i clicks a second on the bus', (changes, quota) => {
  const { errors, warned } = judge(changes);

  expect(errors).toEqual([]);
  expect(warned).toEqual([expect.stringContaining(`2000 PutEvents requests a second`)]);
  expect(warned[0]).toContain(`its default quota is ${quota}.`);
});

test.each<Changes>([
  {},
  { edge: { region: 'eu-south-1' } },
  { ...busy, edge: { region: 'eu-west-1' } },
  { ...busy, edge: { region: 'eu-central-1' } },
  { ...busy, edge: { region: 'eu-south-1' }, clicksVia: 'queue' },
  { ...busy, edge: { region: 'eu-south-1' }, command: 'remove' },
])("%j doesn't warn about the bus", (changes) => {
  expect(judge(changes).warned).toEqual([]);
});

/** Packages a stage, without the developer's ALARM_EMAIL and credentials. */
async function packageAs(stage: string, dir: string, params: ServiceParams) {
  const args = ['package', '--stage', stage, '--region', elsewhere, '--package', dir];
  const env = isolatedEnvironment({
    SLS_SCHEMA_CACHE_BASE_DIR: homedir(),
    AWS_EC2_METADATA_DISABLED: 'true',
  });
  const child = await startServerless([...args, ...paramArgs(params)], { env, isEmpty: true });
  return { code: await child.exited, output: child.output(), lines: readOutput(child).split('\n') };
}

test('a command fails with a line for each invalid setting of its stage', async () => {
  await using dir = await createTestDir();
  const invalid: [ServiceParams, got: string | number][] = [
    [{ dataDeletionPolicy: 'Retain' }, 'dataDeletionPolicy'],
    [{ maxReceiveCount: 0 }, 0],
    [{ queueRetentionSeconds: '4 days' }, '4 days'],
    [{ batchSize: 11, batchWindowSeconds: 0 }, 0],
    [{ visibilityTimeoutSeconds: 29 }, 29],
    [{ aggregator: 'home-made' }, 'home-made'],
    [{ logLevel: 'WARN' }, 'WARN'],
    [{ clickQueues: 8, clickQueuesInUse: 16 }, 16],
    [{ clicksVia: 'sqs' }, 'sqs'],
    [{ hostingIsBot: 'true' }, 'true with edge: both'],
    [{ countVisitors: 'yes' }, 'yes'],
    [{ maximumConcurrency: 4 }, 20],
    [{ domainName }, 'only domainName'],
    // alarmEmail, which prod requires.
    [{}, 'neither'],
    [{ edge: 'both' }, 'none'],
    [{ edgeCertificateArn: arnIn(elsewhere) }, arnIn(elsewhere)],
    [{ blockedDomains: longList }, 3081],
    [{ ownDomains: '*.a' }, '*.a'],
  ];

  const params = Object.assign({}, ...invalid.map(([changes]) => changes));
  const { code, output, lines } = await packageAs('prod', dir.path, params);

  const expected = invalid.map(([, got]) =>
    expect.stringMatching(RegExp(`^expected .*prod.*; got ${RegExp.escape(`${got}`)}\\.( |$)`)),
  );
  expect(code).toBe(1);
  expect(lines.slice(-expected.length)).toEqual(expected);
  expect(output).not.toMatch(/^\s+at /m);
});

test('every setting that is allowed in a stage of any name reaches its template', async () => {
  await using dir = await createTestDir();
  const alarmEmailParameter = '/click-tally/canary/alarm-email';
  const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/edge/1';
  const edge = 'https://Distribution.cloudfront.net';

  const { code } = await packageAs('canary', dir.path, {
    anyStage: 'true',
    aggregator: 'hand-rolled',
    alarmEmailRequired: 'true',
    alarmEmailParameter,
    clickQueues: 4,
    clickQueuesInUse: 2,
    edge: 'cloudfront',
    webAclArn,
  });

  expect(code).toBe(0);
  const { has, environment, idsOf, expects } = await openPackage(dir.path);
  expects({
    AggregateClicksLambdaFunction: { Handler: 'hand-rolled/aggregate-clicks.handler' },
    AlarmEmail: { Endpoint: `{{resolve:ssm:${alarmEmailParameter}}}` },
    Distribution: { DistributionConfig: { WebACLId: webAclArn } },
    UserPoolClient: { CallbackURLs: [`${edge}/`] },
  });
  expect(environment('CreateLink')).toMatchObject({ PUBLIC_ORIGIN: edge, DOMAIN_NAME: '' });
  expect(has('HasAlarmEmailParameter')).toBe(true);
  expect(has('HasOwnWebAcl')).toBe(false);
  // Queues that aren't in use any more are still emptied.
  expect(environment('ResolveLink').CLICK_QUEUES).toBe('2');
  expect(environment('GetBacklog').CLICK_QUEUES).toBe('4');
  expect(idsOf('Lambda::EventSourceMapping')).toContain(`${mappingId}4`);
  expect(idsOf('Events::Rule')).toContain('ClickRule4');
});
