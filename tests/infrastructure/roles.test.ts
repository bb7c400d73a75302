import { describe, expect, test } from 'vitest';
import type { Statement } from '../helpers/iam.ts';
import { readRole } from '../helpers/roles.ts';
import {
  ofType,
  packageDirOf,
  packaged,
  propertiesOf,
  readStage,
  resolve,
} from './stage-template.ts';

/** The only functions that may do this. */
const powers: Record<string, string[]> = {
  'change links': ['AggregateClicks', 'CreateLink', 'ImportLinks', 'UpdateLink'],
  'change markers': ['AggregateClicks'],
  'change quotas': ['CreateLink', 'ImportLinks'],
  'change watches': ['CloseConnection', 'OpenConnection', 'PushCounts', 'WatchLinks'],
  'publish clicks': ['ResolveLink'],
  'send to a queue': ['ResolveLink'],
  'receive from a queue': ['AggregateClicks'],
  'send to connections': ['PushCounts', 'WatchLinks'],
};

const powerOfPrefix: Record<string, string> = {
  'LINK#*': 'change links',
  'CLICK#*': 'change markers',
  'CLICKS#*': 'change markers',
  'OWNER#*': 'change quotas',
  'WATCH#*': 'change watches',
};
const powerOfAction: Record<string, string> = {
  'events:PutEvents': 'publish clicks',
  'sqs:SendMessage': 'send to a queue',
  'sqs:ReceiveMessage': 'receive from a queue',
  'execute-api:ManageConnections': 'send to connections',
};

const isOnTable = ({ Resource }: Statement) => Resource === 'arn:ClickTable';
const isWrite = ({ Action }: Statement) =>
  Action.some((action) => /^dynamodb:(Put|Update|Delete)Item$/.test(action));
/** The leading keys that a statement permits. */
const keysOf = ({ Condition = {} }: Statement): string[] =>
  ['ForAllValues:StringLike', 'ForAllValues:StringEquals'].flatMap((operator) =>
    [Condition[operator]?.['dynamodb:LeadingKeys'] ?? []].flat().map(String),
  );

function powersOf(statements: Statement[]): string[] {
  const keys = statements.filter(isWrite).flatMap(keysOf);
  const actions = statements.flatMap(({ Action }) => Action);
  return [
    ...keys.flatMap((key) => powerOfPrefix[key] ?? []),
    ...actions.flatMap((action) => powerOfAction[action] ?? []),
  ];
}

describe.each(packaged)('the roles of %s', async (packageName) => {
  const template = await readStage(packageName);
  const functions = Object.values(ofType(template, 'AWS::Lambda::Function'));
  // BackupRole is for AWS Backup. backups.test.ts covers it.
  const roleIds = Object.keys(ofType(template, 'AWS::IAM::Role')).filter(
    (id) => id !== 'BackupRole',
  );
  const roles = new Map(
    await Promise.all(
      roleIds.map(async (id) => [id, await readRole(packageDirOf(packageName), id)] as const),
    ),
  );

  test('are not shared between functions', () => {
    const used = functions.map(({ Properties }) => `${resolve(template, Properties.Role)}`);
    expect(used.toSorted()).toEqual(roleIds.map((id) => `arn:${id}`).toSorted());
  });

  test.each(Object.entries(powers))('let only these functions %s: %s', (power, allowed) => {
    const holders = roleIds.filter((id) => powersOf(roles.get(id) ?? []).includes(power));

    const present = allowed.map((name) => `${name}Role`).filter((id) => roleIds.includes(id));
    expect(holders.toSorted()).toEqual(present);
  });

  test.each(roleIds)('limit %s to named actions and items, and trust only Lambda', (id) => {
    const statements = roles.get(id) ?? [];

    expect(statements).not.toEqual([]);
    for (const statement of statements) {
      expect(statement.Effect).toBe('Allow');
      expect(statement.Action.join()).not.toContain('*');
      // X-Ray doesn't support resources.
      if (!/^xray:/.test(statement.Action.join()))
        expect([statement.Resource].flat()).not.toContain('*');
      if (!isOnTable(statement)) continue;
      expect(keysOf(statement)).not.toEqual([]);
      for (const key of keysOf(statement)) expect(key).toMatch(/^([A-Z]+#\*|BACKLOG|CONNECTIONS)$/);
    }
    // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
    // The tenth is for the ARNs, which are longer than logical ids.
    expect(JSON.stringify(statements).length).toBeLessThan(10_240 * 0.9);
    const { AssumeRolePolicyDocument, ManagedPolicyArns } = propertiesOf(template, id);
    const Principal = { Service: 'lambda.amazonaws.com' };
    expect(AssumeRolePolicyDocument).toEqual({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }],
    });
    expect(ManagedPolicyArns).toBeUndefined();
  });
});
