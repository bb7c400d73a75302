import { describe, expect, test } from 'vitest';
import { type Intrinsic, resolveIntrinsics } from '../../local/engines/template.ts';
import { backups } from './package-stages.ts';
import { isTrue, ofType, propertiesOf, readStage, resolve, stages } from './stage-template.ts';

const ids = ['BackupVault', 'BackupPlan', 'BackupSelection', 'BackupRole'];

describe.each(stages)('the backups of %s', async (stage) => {
  const template = await readStage(stage);

  test('exist only if their retention is set', () => {
    const conditions = ids.map((id) => template.Resources[id]?.Condition);

    expect(new Set(conditions)).toEqual(new Set(['HasBackups']));
    expect(template.Conditions.HasBackups).toEqual({
      'Fn::Not': [{ 'Fn::Equals': ['backups 0', 'backups 0'] }],
    });
    for (const { Properties } of Object.values(ofType(template, 'AWS::Lambda::Function'))) {
      expect(JSON.stringify(Properties)).not.toContain('Backup');
    }
  });

  test('cover ClickTable and outlive the stack', () => {
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

  // The retained vault of a removed stack keeps its name.
  test('have a vault whose name is unique and has at most 50 characters', () => {
    const uuid = '51af3dc0-da77-11e4-872e-1234567db123';
    const ref = `arn:aws:cloudformation:us-east-1:123456789012:stack/click-tally/${uuid}`;
    const { BackupVaultName } = propertiesOf(template, 'BackupVault');

    const name = resolveIntrinsics(BackupVaultName as Intrinsic, { 'AWS::StackId': { ref } });

    expect(name).toBe(`click-tally-${stage}-1234567db123`);
  });
});

test('a stage with backups keeps each one and its copy for the set number of days', async () => {
  const template = await readStage('dev-with-both');

  expect(isTrue(template, 'HasBackups')).toBe(true);
  expect(isTrue(template, 'HasBackupCopies')).toBe(true);
  const { BackupPlan } = propertiesOf(template, 'BackupPlan') as {
    BackupPlan: { BackupPlanRule: object[] };
  };
  const Lifecycle = { DeleteAfterDays: '35' };
  expect(resolve(template, BackupPlan.BackupPlanRule)).toMatchObject([
    {
      TargetBackupVault: 'BackupVault',
      Lifecycle,
      CopyActions: [{ DestinationBackupVaultArn: backups.backupCopyVaultArn, Lifecycle }],
    },
  ]);
});
