import { describe, expect, inject, test } from 'vitest';
import { openStage, packaged } from './stage-template.ts';

describe.each(packaged)('the stage %s', async (name) => {
  const { template, stage, ...opened } = await openStage(name);
  const { idsOf, read, readType, number, environment, expects } = opened;
  const functions = Object.entries(readType('Lambda::Function'));
  // Links, counts and users can't be recreated.
  test('protects its links and users only in prod', () => {
    const isProd = stage === 'prod';
    const policy = isProd ? 'Retain' : 'Delete';
    const kept = { DeletionPolicy: policy, UpdateReplacePolicy: policy };
    expect(template.Resources).toMatchObject({
      ClickTable: { ...kept, Properties: { DeletionProtectionEnabled: isProd } },
      UserPool: { ...kept, Properties: { DeletionProtection: isProd ? 'ACTIVE' : 'INACTIVE' } },
    });
  });
  // A field that counting changes would be written to the index, too.
  test('has a table with a TTL, point-in-time recovery, and an index of owners', () => {
    const KeySchema = [{ AttributeName: 'owner' }, { AttributeName: 'createdAt' }];
    const Projection = { ProjectionType: 'KEYS_ONLY' };
    expects({
      ClickTable: {
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        GlobalSecondaryIndexes: [{ IndexName: 'LinksByOwner', KeySchema, Projection }],
      },
    });
  });
  test('runs its functions on Node 24 and arm64; they know their stage, and load the X-Ray SDK only if traced', () => {
    const isTraced = stage === 'local' || stage === 'dev';
    const Variables = {
      STAGE: stage,
      TABLE_NAME: 'ClickTable',
      POWERTOOLS_TRACE_ENABLED: `${isTraced}`,
      POWERTOOLS_SERVICE_NAME: 'click-tally',
      POWERTOOLS_METRICS_NAMESPACE: 'ClickTally',
    };
    for (const [id, settings] of functions) {
      expect(settings, id).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Environment: { Variables },
        TracingConfig: { Mode: isTraced ? 'Active' : 'PassThrough' },
      });
    }
  });
  test('keeps the logs of functions, APIs and unmatched events for the same limited time', () => {
    const logGroups = idsOf('Logs::LogGroup');
    const [days, ...others] = new Set(logGroups.map((id) => read(id).RetentionInDays));
    expect(logGroups).toHaveLength(functions.length + 3);
    expect(others).toEqual([]);
    expect(days).toBeGreaterThan(0);
  });
  test("limits a user to 1,000 links a day, ten connections and less than half of a route's rate", () => {
    const rate = number('HttpApiStage', 'DefaultRouteSettings', 'ThrottlingRateLimit');
    expect(environment('CreateLink').LINKS_PER_DAY).toBe('1000');
    expect(environment('OpenConnection').CONNECTIONS_PER_USER).toBe('10');
    expect(environment('ListLinks').REQUESTS_PER_USER_PER_MINUTE).toBe('1200');
    expect(1200).toBeLessThan((rate * 60) / 2);
  });
  test.skipIf(name === 'local')('is packaged without a warning', () => {
    const { output } = inject('stagePackages')[name] ?? expect.fail();
    expect(output).toContain('Service packaged');
    expect(output).not.toMatch(/warn|deprecat|invalid|not found|cannot/i);
  });
});
