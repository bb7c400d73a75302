import { describe, expect, test } from 'vitest';
import { type Intrinsic, resolveIntrinsics } from '../../local/engines/template.ts';
import { backups } from './package-stages.ts';
import { isTrue, propertiesOf, readStage, resolve, stages } from './stage-template.ts';

const ids = ['BackupVault', 'BackupPlan', 'BackupSelection', 'BackupRole'];

describe.each(stages)('the backups of %s', async (stage) => {
  const template = await readStage(stage);

  test('exist only if their retention is set, cover ClickTable and outlive the stack', () => {
    for (const id of ids) expect(template.Resources[id]?.Condition).toBe('HasBackups');
    expect(isTrue(template, 'HasBackups')).toBe(false);
    expect(resolve(template, propertiesOf(template, 'BackupSelection'))).toMatchObject({
      BackupPlanId: 'BackupPlan',
      BackupSelection: { IamRoleArn: 'arn:BackupRole', Resources: ['arn:ClickTable'] },
    });
    const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
    expect(template.Resources).toMatchObject({ BackupVault: kept, BackupRole: kept });
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
