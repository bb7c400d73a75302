import { expect, test } from 'vitest';
import { backups } from './package-stages.ts';
import { openStage, packaged } from './stage-template.ts';

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
