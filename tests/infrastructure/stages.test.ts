import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { PROJECT_DIR } from '../../local/engines/serverless.ts';
import { DEPLOYED_STAGES } from './package-stages.ts';
import {
  environmentOf,
  numberOf,
  ofType,
  propertiesOf,
  readStage,
  STAGES,
} from './stage-template.ts';

const AGGREGATOR = 'AggregateClicksLambdaFunction';
const MAPPING = 'AggregateClicksEventSourceMappingSQSClickQueue';

/** What an operator expects of each stage. */
const EXPECTED = {
  local: {
    logLevel: 'INFO',
    logRetentionDays: 14,
    aggregatorTimeoutSeconds: 5,
    memoryMb: 512,
    visibilitySeconds: 30,
    maxReceiveCount: 3,
    batchSize: 10,
    windowSeconds: 0,
    concurrency: 10,
    requestsPerSecond: 50,
    keepsData: false,
  },
  dev: {
    logLevel: 'DEBUG',
    logRetentionDays: 7,
    aggregatorTimeoutSeconds: 5,
    memoryMb: 512,
    visibilitySeconds: 30,
    maxReceiveCount: 3,
    batchSize: 10,
    windowSeconds: 0,
    concurrency: 2,
    requestsPerSecond: 50,
    keepsData: false,
  },
  staging: {
    logLevel: 'INFO',
    logRetentionDays: 30,
    aggregatorTimeoutSeconds: 15,
    memoryMb: 512,
    visibilitySeconds: 100,
    maxReceiveCount: 3,
    batchSize: 100,
    windowSeconds: 1,
    concurrency: 5,
    requestsPerSecond: 200,
    keepsData: false,
  },
  prod: {
    logLevel: 'INFO',
    logRetentionDays: 90,
    aggregatorTimeoutSeconds: 15,
    memoryMb: 1024,
    visibilitySeconds: 100,
    maxReceiveCount: 5,
    batchSize: 1000,
    windowSeconds: 2,
    concurrency: 10,
    requestsPerSecond: 2000,
    keepsData: true,
  },
};

describe.each(STAGES)('the stage %s', async (stage) => {
  const template = await readStage(stage);
  const functionIds = Object.keys(ofType(template, 'AWS::Lambda::Function'));

  test('has its own settings', () => {
    expect({
      logLevel: environmentOf(template, AGGREGATOR).POWERTOOLS_LOG_LEVEL,
      logRetentionDays: numberOf(template, 'AggregateClicksLogGroup', 'RetentionInDays'),
      aggregatorTimeoutSeconds: numberOf(template, AGGREGATOR, 'Timeout'),
      memoryMb: numberOf(template, AGGREGATOR, 'MemorySize'),
      visibilitySeconds: numberOf(template, 'ClickQueue', 'VisibilityTimeout'),
      maxReceiveCount: numberOf(template, 'ClickQueue', 'RedrivePolicy', 'maxReceiveCount'),
      batchSize: numberOf(template, MAPPING, 'BatchSize'),
      windowSeconds: numberOf(template, MAPPING, 'MaximumBatchingWindowInSeconds'),
      concurrency: numberOf(template, MAPPING, 'ScalingConfig', 'MaximumConcurrency'),
      requestsPerSecond: numberOf(
        template,
        'HttpApiStage',
        'DefaultRouteSettings',
        'ThrottlingRateLimit',
      ),
      keepsData: propertiesOf(template, 'ClickTable').DeletionProtectionEnabled,
    }).toEqual(EXPECTED[stage]);
  });

  test('keeps links and users beyond the stack only where it protects them', () => {
    const policy = EXPECTED[stage].keepsData ? 'Retain' : 'Delete';
    const protection = EXPECTED[stage].keepsData ? 'ACTIVE' : 'INACTIVE';
    const kept = { DeletionPolicy: policy, UpdateReplacePolicy: policy };
    expect(template.Resources.ClickTable).toMatchObject(kept);
    expect(template.Resources.UserPool).toMatchObject(kept);
    expect(propertiesOf(template, 'UserPool').DeletionProtection).toBe(protection);
  });

  test.each(functionIds)('%s runs on Node 24 and arm64, traced, and knows its stage', (id) => {
    expect(propertiesOf(template, id)).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      TracingConfig: { Mode: 'Active' },
    });
    expect(environmentOf(template, id)).toMatchObject({
      STAGE: stage,
      TABLE_NAME: 'ClickTable',
      POWERTOOLS_SERVICE_NAME: 'click-tally',
      POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    });
  });

  test('keeps no log for ever: those of the 4 functions and of the API', () => {
    const logGroups = Object.values(ofType(template, 'AWS::Logs::LogGroup'));
    const retentions = logGroups.map(({ Properties }) => Properties.RetentionInDays);
    expect(retentions).toEqual(Array(5).fill(EXPECTED[stage].logRetentionDays));
  });

  test('tells by its outputs where everything is', () => {
    expect(Object.keys(template.Outputs)).toEqual(
      expect.arrayContaining([
        ...['ApiUrl', 'TableName', 'ClickQueueUrl', 'ClickDlqUrl', 'ClickRuleDlqUrl', 'BusName'],
        ...['UserPoolId', 'UserPoolClientId', 'DashboardUrl'],
      ]),
    );
    expect(JSON.stringify(template.Outputs.DashboardUrl)).toContain('$' + '{ClickDashboard}');
  });

  test('counts in a table whose items expire by ttl, encrypted and with backups', () => {
    expect(propertiesOf(template, 'ClickTable')).toMatchObject({
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      SSESpecification: { SSEEnabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });
});

test.each(DEPLOYED_STAGES)('packaging %s ends without a warning', (stage) => {
  const output = inject('stagePackages')[stage]?.output ?? '';
  expect(output).toContain('Service packaged');
  expect(output).not.toMatch(/warn|deprecat|invalid|not found|cannot/i);
});

describe('serverless.yml', async () => {
  const read = (file: string) => readFile(path.join(PROJECT_DIR, file), 'utf8');
  const service = await read('serverless.yml');

  test('is wiring: under 250 lines', () => {
    expect(service.split('\n').length).toBeLessThan(250);
  });

  test('is bound to no account of the Serverless Framework', () => {
    expect(service).not.toMatch(/^(org|app|tenant|licenseKey|accessKey):/m);
  });

  test('includes every file in infra/', async () => {
    const files = await readdir(path.join(PROJECT_DIR, 'infra'));
    const included = [...service.matchAll(/\binfra\/([\w-]+\.\w+)/g)].map(([, file]) => file);
    expect(included.toSorted()).toEqual(files.toSorted());
  });

  test('is the only place where a stage has a value of its own', async () => {
    const files = await readdir(path.join(PROJECT_DIR, 'infra'));
    const texts = await Promise.all(files.map((file) => read(`infra/${file}`)));
    expect(texts.join('\n')).not.toMatch(/\b(dev|staging|prod)\b/);
  });
});
