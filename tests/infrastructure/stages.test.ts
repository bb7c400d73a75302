import { describe, expect, inject, test } from 'vitest';
import { deployedStages, variants } from './package-stages.ts';
import {
  aggregatorId,
  environmentOf,
  mappingId,
  numberOf,
  ofType,
  packaged,
  propertiesOf,
  readStage,
  stageOf,
  stages,
} from './stage-template.ts';

// Links, counts and users can't be recreated.
test.each(stages)('%s protects its links and users only in prod', async (stage) => {
  const template = await readStage(stage);
  const isProtected = stage === 'prod';
  const policy = isProtected ? 'Retain' : 'Delete';
  const kept = { DeletionPolicy: policy, UpdateReplacePolicy: policy };

  expect(template.Resources).toMatchObject({
    ClickTable: { ...kept, Properties: { DeletionProtectionEnabled: isProtected } },
    UserPool: { ...kept, Properties: { DeletionProtection: isProtected ? 'ACTIVE' : 'INACTIVE' } },
  });
});

test.each(stages)('%s loads the X-Ray SDK only if functions are traced', async (stage) => {
  const template = await readStage(stage);
  const { Mode } = propertiesOf(template, aggregatorId).TracingConfig as { Mode: string };

  const isTraced = stage === 'local' || stage === 'dev';
  expect([Mode, environmentOf(template, aggregatorId).POWERTOOLS_TRACE_ENABLED]).toEqual(
    isTraced ? ['Active', 'true'] : ['PassThrough', 'false'],
  );
});

describe.each(packaged)('the stage %s', async (name) => {
  const template = await readStage(name);
  const functionIds = Object.keys(ofType(template, 'AWS::Lambda::Function'));

  test('has no circular dependencies', () => {
    const ids = Object.keys(template.Resources);
    const reference = /"Ref":"([^"]+)"|"Fn::GetAtt":\[?"(\w+)|\$\{(\w+)[.}]/g;
    const next = (id: string) => {
      const { DependsOn = [], ...resource } = template.Resources[id] ?? {};
      const references = JSON.stringify(resource).matchAll(reference);
      return [...references, ...[DependsOn].flat()].flat();
    };
    const reach = (from: string[], known = new Set<string>()): Set<string> => {
      const found = from.flatMap(next).filter((id) => ids.includes(id) && !known.has(id));
      return found.length === 0 ? known : reach([...new Set(found)], known.union(new Set(found)));
    };

    expect(reach(['CreateLinkLambdaFunction'])).toContain('HttpApi');
    expect(ids.filter((id) => reach([id]).has(id))).toEqual([]);
  });

  // A field that counting changes would be written to the index, too.
  test('has a table with a TTL, point-in-time recovery, and an index of owners', () => {
    expect(propertiesOf(template, 'ClickTable')).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      GlobalSecondaryIndexes: [
        {
          IndexName: 'LinksByOwner',
          KeySchema: [{ AttributeName: 'owner' }, { AttributeName: 'createdAt' }],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    });
  });

  // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
  test("limits concurrency to between Lambda's minimum and what contention permits", () => {
    const concurrency = numberOf(template, mappingId, 'ScalingConfig', 'MaximumConcurrency');

    expect(concurrency).toBeGreaterThanOrEqual(2);
    expect(concurrency).toBeLessThanOrEqual(10);
  });

  test('runs its functions on Node 24 and arm64, and they know their stage', () => {
    for (const id of functionIds) {
      const settings = { Runtime: 'nodejs24.x', Architectures: ['arm64'] };
      expect(propertiesOf(template, id), id).toMatchObject(settings);
      expect(environmentOf(template, id), id).toMatchObject({
        ...{ STAGE: stageOf(name), TABLE_NAME: 'ClickTable' },
        ...{ POWERTOOLS_SERVICE_NAME: 'click-tally', POWERTOOLS_METRICS_NAMESPACE: 'ClickTally' },
      });
    }
  });

  test('keeps the logs of functions, APIs and unmatched events for the same limited time', () => {
    const logGroups = Object.values(ofType(template, 'AWS::Logs::LogGroup'));
    const [days, ...others] = new Set(logGroups.map(({ Properties: p }) => p.RetentionInDays));

    expect(logGroups).toHaveLength(functionIds.length + 3);
    expect(others).toEqual([]);
    expect(days).toBeGreaterThan(0);
  });

  test('has the outputs that operators and tests use', () => {
    expect(Object.keys(template.Outputs)).toEqual(
      expect.arrayContaining([
        ...['ApiUrl', 'TableName', 'ClickQueueUrl', 'ClickDlqUrl', 'ClickRuleDlqUrl', 'BusName'],
        ...['UserPoolId', 'UserPoolClientId', 'CommandClientId', 'LiveUrl'],
        ...['CommandSignIn', 'CommandCallback', 'SignInIssuer', 'SignInScope'],
      ]),
    );
  });

  test("limits a user to 1,000 links a day, ten connections and less than half of a route's rate", () => {
    const rate = numberOf(template, 'HttpApiStage', 'DefaultRouteSettings', 'ThrottlingRateLimit');
    const perMinute = environmentOf(template, 'ListLinksLambdaFunction');

    expect(environmentOf(template, 'CreateLinkLambdaFunction').LINKS_PER_DAY).toBe('1000');
    expect(environmentOf(template, 'OpenConnectionLambdaFunction').CONNECTIONS_PER_USER).toBe('10');
    expect(perMinute.REQUESTS_PER_USER_PER_MINUTE).toBe('1200');
    expect(1_200).toBeLessThan((rate * 60) / 2);
  });
});

test.each([...deployedStages, ...Object.keys(variants)])(
  'packaging %s prints no warning',
  (name) => {
    const output = inject('stagePackages')[name]?.output ?? '';
    expect(output).toContain('Service packaged');
    expect(output).not.toMatch(/warn|deprecat|invalid|not found|cannot/i);
  },
);
