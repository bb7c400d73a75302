import { expect, test } from 'vitest';
import { backups } from './package-stages.ts';
import { openStage, packaged } from './stage-template.ts';

const units = (ReadCapacityUnits, WriteCapacityUnits) => ({
  ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits },
});
test.each(packaged.filter((name) => name !== 'prod-with-edge'))(
  'the table and the index of %s are paid on demand',
  async (name) => {
    const { read, idsOf } = await openStage(name);
    const table = read('ClickTable');
    expect(table.BillingMode).toBe('PAY_PER_REQUEST');
    // AWS rejects provisioned units of a table or an index on demand.
    expect(JSON.stringify(table)).not.toContain('Provisioned');
    expect(idsOf('ApplicationAutoScaling::ScalableTarget')).toEqual([]);
  },
);
const metricOf = (kind) => `DynamoDB${kind}CapacityUtilization`;
test('a provisioned table and its index begin with their least units, and each scales by use', async () => {
  const { template, read, readType } = await openStage('prod-with-edge');
  const index = { IndexName: 'LinksByOwner', ...units(5, 5) };
  const targets = Object.entries(readType('ApplicationAutoScaling::ScalableTarget'));
  const policies = Object.values(readType('ApplicationAutoScaling::ScalingPolicy'));
  expect(read('ClickTable')).toMatchObject({
    BillingMode: 'PROVISIONED',
    ...units(100, 200),
    GlobalSecondaryIndexes: [index],
    // The rest of infra/table.yml stays.
    KeySchema: [{ AttributeName: 'PK' }, { AttributeName: 'SK' }],
    DeletionProtectionEnabled: true,
    // DynamoDB's own key, which is free.
    SSESpecification: { SSEEnabled: false },
  });
  expect(
    targets.map(([, one]) => [
      ...[one.ResourceId, one.ScalableDimension, one.MinCapacity, one.MaxCapacity],
    ]),
  ).toEqual([
    ['table/ClickTable', 'dynamodb:table:ReadCapacityUnits', 100, 40000],
    ['table/ClickTable', 'dynamodb:table:WriteCapacityUnits', 200, 40000],
    ['table/ClickTable/index/LinksByOwner', 'dynamodb:index:ReadCapacityUnits', 5, 100],
    ['table/ClickTable/index/LinksByOwner', 'dynamodb:index:WriteCapacityUnits', 5, 100],
  ]);
  // A target without a policy never scales.
  const tracks = (kind, TargetValue) => ({
    TargetValue,
    PredefinedMetricSpecification: { PredefinedMetricType: metricOf(kind) },
  });
  expect(policies).toMatchObject(
    targets.map(([ScalingTargetId], index) => ({
      ScalingTargetId,
      TargetTrackingScalingPolicyConfiguration:
        index % 2 === 0 ? tracks('Read', 50) : tracks('Write', 70),
    })),
  );
  // CloudFormation's requests one after the other, because their rate is limited.
  expect(targets.map(([id]) => template.Resources[id]?.DependsOn)).toEqual([
    ...[[], ['TableReadPolicy'], ['TableWritePolicy'], ['IndexReadPolicy']],
  ]);
});
test.each(packaged)(
  'the backups of %s exist only if their retention is set, cover ClickTable and outlive the stack',
  async (name) => {
    const { template, stage, has, expects } = await openStage(name);
    const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    for (const id of ['BackupVault', 'BackupPlan', 'BackupSelection', 'BackupRole']) {
      expect(template.Resources[id]?.Condition).toBe('HasBackups');
    }
    expect(has('HasBackups')).toBe(name === 'dev-with-both');
    expect(template.Resources).toMatchObject({ BackupVault: kept, BackupRole: kept });
    expects({
      // The retained vault of a removed stack keeps its name, which has at most 50 characters.
      BackupVault: { BackupVaultName: `click-tally-${stage}-1234567db123` },
      BackupSelection: {
        BackupPlanId: 'BackupPlan',
        BackupSelection: { IamRoleArn: 'arn:BackupRole', Resources: ['arn:ClickTable'] },
      },
    });
  },
);
test('a stage with backups keeps each one and its copy for the set number of days', async () => {
  const { has, read } = await openStage('dev-with-both');
  const Lifecycle = { DeleteAfterDays: '35' };
  const CopyActions = [{ DestinationBackupVaultArn: backups.backupCopyVaultArn, Lifecycle }];
  expect(has('HasBackupCopies')).toBe(true);
  expect(read('BackupPlan')).toMatchObject({
    BackupPlan: { BackupPlanRule: [{ TargetBackupVault: 'BackupVault', Lifecycle, CopyActions }] },
  });
});
