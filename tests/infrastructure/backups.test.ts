import { describe, expect, test } from 'vitest';
import { packageTemplate } from '../../local/engines/serverless.ts';
import { type Intrinsic, resolveIntrinsics } from '../../local/engines/template.ts';
import { createTestDir } from '../helpers/test-dir.ts';
import { ofType, propertiesOf, readPackage, readStage, resolve, stages } from './stage-template.ts';

const ids = ['BackupVault', 'BackupPlan', 'BackupSelection', 'BackupRole'];
const backupCopyVaultArn = 'arn:aws:backup:us-east-1:210987654321:backup-vault:copies';

const readRule = (plan: Record<string, unknown>) => {
  const { BackupPlanRule } = plan.BackupPlan as { BackupPlanRule: Record<string, unknown>[] };
  return BackupPlanRule[0] ?? {};
};

describe.each(stages)('the backups of %s', async (stage) => {
  const template = await readStage(stage);

  test('exist only if it says for how long', () => {
    const conditions = ids.map((id) => template.Resources[id]?.Condition);

    expect(new Set(conditions)).toEqual(new Set(['HasBackups']));
    expect(template.Conditions.HasBackups).toEqual({
      'Fn::Not': [{ 'Fn::Equals': ['backups 0', 'backups 0'] }],
    });
    for (const { Properties } of Object.values(ofType(template, 'AWS::Lambda::Function'))) {
      expect(JSON.stringify(Properties)).not.toContain('Backup');
    }
  });

  test('are of ClickTable, and outlive the stack', () => {
    expect(resolve(template, propertiesOf(template, 'BackupSelection'))).toEqual({
      BackupPlanId: 'BackupPlan',
      BackupSelection: {
        SelectionName: 'click-table',
        IamRoleArn: 'arn:BackupRole',
        Resources: ['arn:ClickTable'],
      },
    });
    for (const id of ['BackupVault', 'BackupRole']) {
      expect(template.Resources[id]).toMatchObject({
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
      });
    }
  });

  // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-backup-backupvault.html
  test('have a vault with a name of its own that AWS Backup takes', () => {
    const stackId =
      'arn:aws:cloudformation:us-east-1:123456789012:stack/click-tally/51af3dc0-da77-11e4-872e-1234567db123';
    const { BackupVaultName } = propertiesOf(template, 'BackupVault');

    const name = resolveIntrinsics(BackupVaultName as Intrinsic, {
      'AWS::StackId': { ref: stackId },
    });

    expect(name).toBe(`click-tally-${stage}-1234567db123`);
    expect(name).toMatch(/^[\w-]{2,50}$/);
  });

  test('are made by AWS Backup alone, and only for this account', () => {
    expect(resolve(template, propertiesOf(template, 'BackupRole'))).toEqual({
      AssumeRolePolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'backup.amazonaws.com' },
            Action: 'sts:AssumeRole',
            Condition: { StringEquals: { 'aws:SourceAccount': '123456789012' } },
          },
        ],
      },
      ManagedPolicyArns: [
        'arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup',
      ],
    });
  });
});

// Packaging takes long on a busy machine.
const timeout = 180_000;

test('a stage with backups makes one a day, and copies it there', { timeout }, async () => {
  await using dir = await createTestDir();
  const params = { backupDays: 35, backupCopyVaultArn };

  await packageTemplate({ stage: 'dev', outDir: dir.path, params });

  const template = await readPackage(dir.path);
  expect(template.Conditions).toMatchObject({
    HasBackups: { 'Fn::Not': [{ 'Fn::Equals': ['backups 35', 'backups 0'] }] },
    HasBackupCopies: { 'Fn::Not': [{ 'Fn::Equals': [backupCopyVaultArn, ''] }] },
  });
  expect(readRule(propertiesOf(template, 'BackupPlan'))).toMatchObject({
    TargetBackupVault: { Ref: 'BackupVault' },
    ScheduleExpression: 'cron(0 3 * * ? *)',
    Lifecycle: { DeleteAfterDays: '35' },
    CopyActions: {
      'Fn::If': [
        'HasBackupCopies',
        [{ DestinationBackupVaultArn: backupCopyVaultArn, Lifecycle: { DeleteAfterDays: '35' } }],
        { Ref: 'AWS::NoValue' },
      ],
    },
  });
});
